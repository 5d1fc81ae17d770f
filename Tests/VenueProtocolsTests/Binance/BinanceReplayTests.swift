// Captured sessions, replayed and compared with an independent replay at every checkpoint.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct BinanceReplayTests {
  private static let books = ["spot-2021-10-12-NKNUSDT.tsv", "us-spot-2021-10-12-COMPUSDT.tsv"]

  private func capture(_ name: String) throws -> BinanceCapture {
    try BinanceCapture(name, Symbol(known: name.contains("NKN") ? "NKNUSDT" : "COMPUSDT"))
  }

  private func play(
    _ messages: [String], _ symbol: Symbol, _ look: (Int, BookView) -> Void = { _, _ in }
  ) -> BinanceReplay {
    var replay = BinanceReplay()
    for (index, message) in messages.enumerated() {
      let now = ClockReading(milliseconds: Int64(index) * 10)
      replay.process(Array(message.utf8).span, at: now)
      if let view = replay.bookView(for: symbol, at: now) { look(index + 1, view) }
    }
    return replay
  }

  @Test(arguments: books)
  func `a captured session gives the expected book at every checkpoint`(name: String) throws {
    let captured = try capture(name)
    var found: [Int: String] = [:]
    let replay = play(captured.messages, captured.symbol) { line, view in
      guard captured.expected[line] != nil else { return }
      #expect(view.status == .synced && view.resyncs == 0, "line \(line)")
      found[line] = BinanceCapture.table(view)
    }
    #expect(captured.expected.count >= 11 && found == captured.expected)
    #expect(replay.rejectedMessages == 0)
  }

  @Test func `prices have the digits in use, not the eight that the venue writes`() throws {
    let captured = try capture(Self.books[0])
    let replay = play(captured.messages, captured.symbol)
    let now = ClockReading(milliseconds: 5000)
    let view = try #require(replay.bookView(for: captured.symbol, at: now))
    #expect(view.priceScale.digits == 5 && view.priceDecimals.digits == 5)
    #expect(view.quantityScale.digits == 1)
  }

  enum Change: String, CaseIterable {
    case removed, doubled, swapped, cut, repeatedLater
  }

  @Test(arguments: books, Change.allCases)
  func `a capture with one message altered never shows a wrong book as valid`(
    name: String, change: Change
  ) throws {
    let captured = try capture(name)
    var right: Set<String> = []
    let replay = play(captured.messages, captured.symbol) {
      right.insert(BinanceCapture.table($1))
    }
    let last = try #require(
      replay.bookView(for: captured.symbol, at: ClockReading(milliseconds: 5000)))
    let updates = captured.messages.indices.filter {
      $0 > 2 && captured.messages[$0].contains("depthUpdate")
    }
    for place in updates.dropLast(2) {
      var messages = captured.messages
      switch change {
      case .removed: messages.remove(at: place)
      case .doubled: messages.insert(messages[place], at: place)
      case .swapped:
        let next = try #require(updates.first { $0 > place })
        messages.swapAt(place, next)
      case .cut: messages[place] = String(messages[place].dropLast(9))
      case .repeatedLater: messages.append(messages[place])
      }
      var isFound = false
      var latest = ""
      _ = play(messages, captured.symbol) { _, view in
        if view.bidLevels > 0, view.status != .synced { isFound = true }
        guard view.status == .synced else { return }
        latest = BinanceCapture.table(view)
        #expect(right.contains(latest), "\(change) line \(place + 1)")
      }
      switch change {
      case .removed, .swapped, .cut: #expect(isFound, "\(change) line \(place + 1)")
      // A repeated update is recognised by its numbers.
      case .doubled, .repeatedLater:
        #expect(!isFound && latest == BinanceCapture.table(last), "\(change) line \(place + 1)")
      }
    }
  }

  @Test func `a recording without a snapshot shows its trades and no book`() throws {
    let text = try CapturedBooks.text(
      "testnet-trade-bookTicker-depth-BTCUSDT-2026-09-13.jsonl", "binance")
    let replay = play(text.split(separator: "\n").map(String.init), BinanceHarness.bitcoin)
    let now = ClockReading(milliseconds: 1000)
    #expect(replay.rejectedMessages == 0 && replay.messages == 23)
    #expect(replay.bookView(for: BinanceHarness.bitcoin, at: now)?.status == .waiting)
    let tape = try #require(replay.tapeView(for: BinanceHarness.bitcoin, at: now))
    #expect(tape.trades.count == text.split(separator: "\n").count { $0.contains("@trade\"") })
  }

  @Test func `a captured ticker gives the day's figures`() throws {
    let text = try CapturedBooks.text("ws-ticker-BNBBTC-2020-01-28.jsonl", "binance")
    let symbol = Symbol(known: "BNBBTC")
    var session = BinanceSession(origin: .simulated)
    let (figures, now) = (Subscription(.figures, symbol), ClockReading(milliseconds: 10))
    _ = session.handle(.wanted([figures]), at: now)
    _ = session.handle(.opened, at: now)
    _ = session.receive(Array(text.utf8).span, kind: .text, at: now)
    guard case .figures(let view)? = session.value(for: figures, at: now) else {
      Issue.record("no figures")
      return
    }
    #expect(view.last?.description == "9338.96" && view.change?.description == "420.97")
    #expect(view.changePercent?.description == "4.72" && view.trades == 600_436)
    #expect(view.volume?.description == "72229.53692")
  }
}
