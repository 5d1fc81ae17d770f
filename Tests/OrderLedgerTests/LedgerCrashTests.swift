// A process that places orders as fast as it can is killed at random moments; no acknowledged order
// may be missing afterwards.

import Foundation
import MarketModel
import OrderLedger
import PaperTrading
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct `Killed while writing` {
  static let ledgers = repetitions(4, all: 100)
  static let killsPerLedger = 5

  @Test(arguments: 0..<UInt64(ledgers))
  func `after each kill every acknowledged order is there and the chain verifies`(
    seed: UInt64
  ) throws {
    let folder = try LedgerFolder()
    var random = SplitMix64(seed: seed)
    var names: Set<String> = []
    for kill in 0..<Self.killsPerLedger {
      let said = try run(folder, seed: random.next(), lines: Int(random.below(100)))
      names.formUnion(said.names)
      let reader = try? LedgerReader(path: folder.path)
      guard let reader else {
        // Killed before there was a file: nothing can have been acknowledged.
        #expect(said.sequence == nil && names.isEmpty, "seed \(seed), kill \(kill)")
        continue
      }
      #expect(reader.verification.findings == [], "seed \(seed), kill \(kill)")
      #expect(reader.history.lastSequence >= said.sequence ?? 0, "seed \(seed), kill \(kill)")
      let stored = Set(reader.history.orders.map(\.request.clientIdentifier.text))
      #expect(names.isSubset(of: stored), "seed \(seed), kill \(kill)")
    }
    let opened = try folder.open()
    let replayed = try LedgerReader(path: folder.path).history
    #expect(opened.history.stateHash == replayed.stateHash)
    #expect(!names.isEmpty, "seed \(seed): nothing was acknowledged, so nothing was shown")
  }

  /// Starts the writer, kills it after `lines` lines, and returns its output.
  private func run(
    _ folder: LedgerFolder, seed: UInt64, lines: Int
  ) throws -> (names: Set<String>, sequence: UInt64?) {
    let (process, output) = try CrashWriter.start(["write", folder.path, "\(seed)"])
    var said = Data()
    while said.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
      let more = output.availableData
      if more.isEmpty { break }
      said += more
    }
    process.kill()
    said += output.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal, "it ended by itself")
    // Text after the last newline is incomplete and doesn't count.
    let text = String(decoding: said, as: UTF8.self)
    let whole = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(!text.contains("error"), "\(text.suffix(300))")
    let sequences = whole.compactMap { $0.hasPrefix("at ") ? UInt64($0.dropFirst(3)) : nil }
    let names = whole.filter { $0.hasPrefix("ack ") }.map { String($0.dropFirst(4)) }
    return (Set(names), sequences.last)
  }
}
