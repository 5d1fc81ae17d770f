// A process that records as fast as it can is killed at random moments; what remains is exactly the
// beginning of what it recorded.
//
//     LIVETAPE_ALL=1 HISTORY_SEED=7 swift test --filter HistoryCrashTests

import ChartModel
import Foundation
@testable import HistoryStore
import MarketModel
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct HistoryCrashTests {
  static let killsPerFolder = 5
  static let kills = repetitions(20, all: 200)

  static let seed =
    ProcessInfo.processInfo.environment["HISTORY_SEED"].flatMap(UInt64.init) ?? 1

  @Test(
    "After each kill a prefix of what was recorded is there, no shorter than what was said kept")
  func prefix() throws {
    var total = 0
    for seed in 0..<UInt64(Self.kills / Self.killsPerFolder) {
      let folder = try HistoryFolder()
      var random = SplitMix64(seed: seed)
      var count: Int64 = 0
      for kill in 0..<Self.killsPerFolder {
        let said = try run(folder, seed: random.next(), lines: Int(random.below(60)))
        let found = try kept(folder)
        #expect(found == Array(0..<Int64(found.count)), "seed \(seed), kill \(kill)")
        #expect(Int64(found.count) >= max(said, count), "seed \(seed), kill \(kill)")
        count = Int64(found.count)
        total += 1
      }
      #expect(count > 0, "seed \(seed): nothing was kept, so nothing was shown")
    }
    print("history: \(total) kills, each left a prefix")
  }

  @Test("Six readers of damaged histories survive that the store sets the file aside or closes it")
  func damage() throws {
    let folder = try HistoryFolder(isInMemory: true)
    let seed = Self.seed
    let process = try Process.product("history-crash-writer", ["damage", folder.folder, "\(seed)"])
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.runWithinPatience()
    let lines = pipe.fileHandleForReading.readDataToEndOfFile().split(separator: 0x0a)
    process.waitUntilExit()
    let last = lines.last.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
    #expect(
      process.terminationReason == .exit && process.terminationStatus == 0,
      "seed \(seed): ended after \(last)")
    #expect(lines.count == 100, "seed \(seed)")
    print("history: 100 damaged histories read, seed \(seed)")
  }

  /// The numbers of all stored candles, each checked against its key.
  private func kept(_ folder: HistoryFolder) throws -> [Int64] {
    let store = folder.open()
    defer { store.close() }
    var numbers: [Int64] = []
    for (remainder, symbol) in (["BTC/USD", "ETH/USD", "XRP/USD"] as [StaticString]).enumerated() {
      for (half, interval) in [CandleInterval.fiveMinutes, .hour].enumerated() {
        let found = try store.candles(
          InstrumentKey(.kraken, Symbol(known: symbol)), interval, limit: 1_000_000)
        for candle in found.candles {
          let number = candle.open.units
          #expect(Int(number % 3) == remainder && Int(number / 3 % 2) == half)
          #expect(
            candle
              == Candle(
                start: number * interval.milliseconds, price: Price(units: number),
                volume: Quantity(units: number)))
          numbers.append(number)
        }
      }
    }
    return numbers.sorted()
  }

  /// Starts the writer, kills it after `lines` lines, and returns the last count that it reported
  /// as stored.
  private func run(_ folder: HistoryFolder, seed: UInt64, lines: Int) throws -> Int64 {
    let process = try Process.product("history-crash-writer", ["write", folder.folder, "\(seed)"])
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.runWithinPatience()
    var said = Data()
    while said.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
      let more = pipe.fileHandleForReading.availableData
      if more.isEmpty { break }
      said += more
    }
    process.kill()
    said += pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal, "it ended by itself")
    // Text after the last newline is incomplete and doesn't count.
    let text = String(decoding: said, as: UTF8.self)
    let whole = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return whole.compactMap { Int64($0.dropFirst(5)) }.last ?? 0
  }
}
