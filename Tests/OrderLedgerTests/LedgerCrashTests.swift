// A process that places and changes orders as fast as it can is killed at random moments; no
// acknowledged order or change may be missing afterwards.

import Foundation
import MarketModel
@testable import OrderLedger
import PaperTrading
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct `Killed while writing` {
  static let ledgers = repetitions(4, all: 100)
  static let killsPerLedger = 5

  @Test func `after each kill all acknowledged is there, each change once, and the chain verifies`()
    throws
  {
    var (sent, underWay) = (0, 0)
    for seed in 0..<UInt64(Self.ledgers) {
      let shown = try kill(seed: seed)
      (sent, underWay) = (sent + shown.sent, underWay + shown.underWay)
    }
    // A few kills may meet no change under way.
    #expect(sent > 0 && repetitions(true, all: underWay > 0), "nothing was shown")
  }

  /// Kills the writer of one ledger again and again; returns how many changes it has acknowledged,
  /// and how many were under way at a kill.
  private func kill(seed: UInt64) throws -> (sent: Int, underWay: Int) {
    let folder = try LedgerFolder()
    var random = SplitMix64(seed: seed)
    var (names, sent, underWay): (Set<String>, Set<String>, Int) = ([], [], 0)
    for kill in 0..<Self.killsPerLedger {
      let said = try run(folder, seed: random.next(), lines: Int(random.below(100)))
      names.formUnion(said.names)
      sent.formUnion(said.sent)
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
      let changes = try Changes(in: reader)
      #expect(changes.lost(of: sent) == [], "seed \(seed), kill \(kill)")
      #expect(changes.open(in: folder.rules) == [], "seed \(seed), kill \(kill)")
      underWay += changes.underWay.count
    }
    let opened = try folder.open()
    let replayed = try LedgerReader(path: folder.path).history
    #expect(opened.history.stateHash == replayed.stateHash)
    #expect(!names.isEmpty, "seed \(seed): nothing was shown")
    return (sent.count, underWay)
  }

  /// Starts the writer, kills it after `lines` lines, and returns its output.
  private func run(
    _ folder: LedgerFolder, seed: UInt64, lines: Int
  ) throws -> (names: Set<String>, sent: Set<String>, sequence: UInt64?) {
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
    func rest(_ word: String) -> Set<String> {
      Set(whole.filter { $0.hasPrefix(word) }.map { String($0.dropFirst(word.count)) })
    }
    return (rest("ack "), rest("sent "), sequences.last)
  }
}

/// The changes of orders that were sent with latency, as "ORDER NAME" or "ORDER cancel".
private struct Changes {
  private var history = OrderHistory()
  private var sent: [String: Int] = [:]
  private var ended: [String: Int] = [:]
  private(set) var underWay: Set<String> = []

  init(in reader: LedgerReader) throws {
    var lines: [String] = []
    try reader.export(.json) { lines.append($0) }
    for line in lines.dropFirst() {
      let start = try #require(line.firstRange(of: #""event":"#)).upperBound
      let event = try EventCodec.decode(String(line[start...].dropLast(2)))
      let before = changes(event.order)
      try history.apply(event)
      let after = changes(event.order)
      for change in after.subtracting(before) { sent[change, default: 0] += 1 }
      for change in before.subtracting(after) { ended[change, default: 0] += 1 }
      underWay = underWay.subtracting(before).union(after)
    }
  }

  private func changes(_ order: OrderIdentifier?) -> Set<String> {
    let order = order.flatMap { history.order($0) }
    return Set(
      (order?.pending ?? []).map {
        "\(order?.identifier.number ?? 0) \($0.amendment?.clientIdentifier.text ?? "cancel")"
      })
  }

  /// Those that were not sent once, or are not either under way or over.
  func lost(of acknowledged: Set<String>) -> Set<String> {
    acknowledged.filter {
      sent[$0] != 1 || ended[$0, default: 0] + (underWay.contains($0) ? 1 : 0) != 1
    }
  }

  /// What is still under way after its time, and the cancelled orders that are open then.
  func open(in rules: TradingRules) -> Set<String> {
    var trader = PaperTrader(rules: rules, history: history)
    let later = ClockReading(milliseconds: (history.lastTime?.milliseconds ?? 0) + 1000)
    for symbol in history.symbols(dueAt: later.wall) {
      _ = trader.handle(.feed(.time(afterStop: true), of: symbol), at: later)
    }
    let orders = trader.history.orders.filter(\.life.isOpen)
    let isCancelled = orders.filter { sent["\($0.identifier.number) cancel"] != nil }
    return Set(
      (orders.filter { !$0.pending.isEmpty } + isCancelled).map { "\($0.identifier.number)" })
  }
}
