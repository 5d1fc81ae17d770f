// Captured sessions of every venue, replayed and compared with an independent replay at every
// checkpoint, and with one message altered.

import MarketModel
import TestSupport
import Testing

@testable import VenueProtocols

@Suite struct VenueCaptureTests {
  @Test(arguments: CapturedBooks.all)
  func `a captured session gives the expected book at every checkpoint`(
    capture: CapturedBooks
  ) throws {
    let expected = try capture.expected()
    let hasCounts = expected.values.contains { $0.contains("/") }
    var found: [Int: String] = [:]
    let messages = try capture.messages()
    try capture.play(messages) { line, view in
      guard expected[line] != nil else { return }
      #expect(view.status == .synced && view.resyncs == 0, "line \(line)")
      found[line] = CapturedBooks.table(view, hasCounts: hasCounts)
    }
    #expect(expected.count == capture.checkpoints && found == expected)
    guard case .allInstruments(let make) = capture.venue.adapter.replay else { return }
    var replay = make()
    for (index, message) in messages.enumerated() {
      let problem = replay.process(
        Array(message.utf8).span, at: ClockReading(milliseconds: Int64(index + 1) * 10))
      #expect(problem == nil, "line \(index + 1)")
    }
  }

  enum Change: String, CaseIterable {
    case removed, doubled, swapped, cut, repeatedLater
  }

  @Test(arguments: CapturedBooks.all, Change.allCases)
  func `a capture with one message altered never shows a wrong book as valid`(
    capture: CapturedBooks, change: Change
  ) throws {
    let original = try capture.messages()
    var right: Set<String> = []
    var last = ""
    var isBookAt: Int?
    try capture.play(original) { line, view in
      guard view.status == .synced else { return }
      isBookAt = isBookAt ?? line
      last = BookTable.text(view)
      right.insert(last)
    }
    let first = try #require(isBookAt)
    let updates = original.indices.filter {
      $0 >= first && original[$0].contains(capture.update)
    }
    #expect(updates.count > 2)
    // Short captures are altered at every update, long ones at some, but in `make test-all`.
    let step = capture.stride * repetitions(1 + updates.count / 10, all: 1)
    for index in stride(from: 0, to: updates.count - 2, by: step) {
      let place = updates[index]
      var messages = original
      switch change {
      case .removed: messages.remove(at: place)
      case .doubled: messages.insert(messages[place], at: place)
      case .swapped: messages.swapAt(place, try #require(updates.first { $0 > place }))
      case .cut: messages[place] = String(messages[place].dropLast(9))
      case .repeatedLater: messages.append(messages[place])
      }
      var isFound = false
      var latest = ""
      try capture.play(messages) { line, view in
        if line > first, view.status != .synced { isFound = true }
        guard view.status == .synced else { return }
        latest = BookTable.text(view)
        #expect(right.contains(latest), "\(change) line \(place + 1)")
      }
      switch change {
      case .removed, .swapped, .cut: #expect(isFound, "\(change) line \(place + 1)")
      case .doubled, .repeatedLater:
        if capture.ignoresRepetitions {
          #expect(!isFound && latest == last, "\(change) line \(place + 1)")
        } else {
          // A repetition without a number may lead to the same book.
          #expect(isFound || change == .doubled && capture.venue == .okx, "line \(place + 1)")
        }
      }
    }
  }

  @Test(arguments: [
    (Venue.okx, "ws-misc-2025-12.jsonl"),
    (.okx, "ws-tickers-trades-books5-BTC-USDT-2026-09-25.jsonl"),
    (.bybit, "ws-misc-2023-2026.jsonl"), (.bybitLinear, "ws-misc-2023-2026.jsonl"),
    (.bybitLinear, "ws-tickers-linear-BTCUSDT-2024-05-15.jsonl"),
    (.coinbase, "advanced-trades-and-ticker-BTC-USD-2026-08-12.jsonl"),
    (.kraken, "captured-2026-08-26.ETH-BTC.jsonl"),
  ])
  func `other captured messages are read or ignored, never rejected`(
    venue: Venue, name: String
  ) throws {
    guard case .allInstruments(let make) = venue.adapter.replay else { return }
    var replay = make()
    let lines = try CapturedBooks.text(name, venue == .bybitLinear ? "bybit" : venue.rawValue)
      .split(separator: "\n")
    for (index, line) in lines.enumerated() {
      let now = ClockReading(milliseconds: Int64(index))
      #expect(replay.process(Array(line.utf8).span, at: now) == nil, "line \(index + 1)")
    }
  }
}
