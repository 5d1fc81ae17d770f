// Truncated, altered, repeated, swapped or absurd messages: rejected whole, without a trap or a
// wrong live book.

import MarketModel
import OrderBook
import Testing

@testable import VenueProtocols

struct CoinbaseHostileTests {
  private let book = Subscription(.book, CoinbaseHarness.bitcoin)
  private let trades = Subscription(.trades, CoinbaseHarness.bitcoin)
  private let figures = Subscription(.figures, CoinbaseHarness.bitcoin)

  private static let image = "100.5×0.1 99×2 | 101×1.5"

  private static let messages: [(channel: String, events: String)] = [
    CoinbaseHarness.book("snapshot", bids: "100.5×0.1 99×2", asks: "101×1.5"),
    CoinbaseHarness.book("update", bids: "100.5×0.2", asks: "101×0 101.5×1.25"),
    CoinbaseHarness.trades("update", "8 SELL 100.5 0.4"),
    CoinbaseHarness.ticker("update", #""price":"95","price_percent_chg_24_h":"-5""#),
    CoinbaseHarness.status(), CoinbaseHarness.heartbeat, CoinbaseHarness.subscriptions,
  ]

  private func live() -> CoinbaseHarness {
    var harness = CoinbaseHarness(wanting: book, trades, figures)
    harness.say(CoinbaseHarness.status())
    harness.say(Self.messages[0])
    harness.say(CoinbaseHarness.trades("snapshot", "7 BUY 100.6 0.3"))
    harness.say(CoinbaseHarness.ticker("snapshot", #""price":"96""#))
    return harness
  }

  @Test(arguments: messages.indices)
  func `a cut message counts once its channel and its number have come`(_ index: Int) {
    let start = live()
    let bytes = Array(CoinbaseHarness.text(Self.messages[index], number: start.next).utf8)
    for end in bytes.indices {
      var harness = start
      harness.receive(bytes: Array(bytes[..<end]))
      #expect(harness.problems.first == .malformed, "cut at \(end)")
      #expect(harness.table() == Self.image, "cut at \(end)")
      // What it was is known as soon as its channel has come; then its number decides.
      let isBook = index < 2
      if isBook { #expect(harness.book()?.status == .resyncing, "cut at \(end)") }
      harness.next += 1
      harness.say(CoinbaseHarness.book("update", bids: "100.5×7"))
      let isValid = harness.book()?.status == .synced
      #expect(!isValid || harness.table() == "100.5×7 99×2 | 101×1.5", "cut at \(end)")
      #expect(!isValid || !isBook, "cut at \(end)")
    }
  }

  /// Without a checksum only digits of prices and sizes can change unnoticed.
  @Test(arguments: messages.indices)
  func `a message with any byte changed leaves a right book, or other digits in its own rows`(
    _ index: Int
  ) {
    let start = live()
    let bytes = Array(CoinbaseHarness.text(Self.messages[index], number: start.next).utf8)
    var honest = start
    honest.receive(bytes: bytes)
    honest.next += 1
    honest.say(CoinbaseHarness.heartbeat)
    let right = honest.table()
    for place in bytes.indices {
      for other in [UInt8(0), 0x22, 0x30, 0x39, 0x65, 0x7d, 0x80, 0xff, bytes[place] ^ 1]
      where other != bytes[place] {
        var harness = start
        var changed = bytes
        changed[place] = other
        harness.receive(bytes: changed)
        harness.next += 1
        // The next message shows whether this one was counted.
        harness.say(CoinbaseHarness.heartbeat)
        guard harness.book()?.status == .synced else { continue }
        let isDigit = isDigit(bytes[place]) || bytes[place] == UInt8(ascii: ".")
        let found = harness.table()
        #expect(found == right || index < 2 && isDigit, "byte \(place) is \(other)")
      }
    }
  }

  private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  @Test func `a message that comes twice leaves a right book`() {
    for message in Self.messages {
      var once = live()
      once.say(message)
      var twice = once
      twice.next -= 1
      twice.say(message)
      #expect(twice.effects.isEmpty && twice.book()?.status == .synced)
      #expect(twice.table() == once.table())
      #expect(twice.tape()?.trades.count == once.tape()?.trades.count)
    }
  }

  @Test func `two messages in the wrong order make every book doubtful`() {
    for message in Self.messages {
      var harness = live()
      let number = harness.next
      harness.next += 1
      harness.say(CoinbaseHarness.book("update", bids: "100.5×9"))
      #expect(harness.book()?.status == .resyncing && harness.reconnects)
      harness.receive(CoinbaseHarness.text(message, number: number))
      #expect(harness.book()?.status == .resyncing && harness.effects.isEmpty)
      #expect(harness.table() == Self.image)
    }
  }

  @Test(arguments: ["0", "0.0", "0.00000000", "-0", "0e5"])
  func `no size in any spelling removes a level`(_ size: String) {
    var harness = live()
    harness.say(CoinbaseHarness.book("update", bids: "99×\(size)"))
    #expect(harness.table() == "100.5×0.1 | 101×1.5", "\(size)")
  }

  @Test func `numbers may be spelled in any way as long as they are exact`() {
    var harness = live()
    harness.say(CoinbaseHarness.book("update", bids: "1.005e2×0.2500 9.90e1×25E-1"))
    #expect(harness.table() == "100.5×0.25 99×2.5 | 101×1.5")
  }

  @Test func `a bad trade refetches the trades and leaves the book alone`() {
    var harness = live()
    harness.say(CoinbaseHarness.trades("update", "8 UP 100.5 0.4"))
    #expect(harness.problems == [.malformed] && harness.book()?.status == .synced)
    #expect(
      harness.sent == ["unsubscribe market_trades BTC-USD", "subscribe market_trades BTC-USD"])
    harness.say(CoinbaseHarness.book("update", bids: "100.5×7"))
    #expect(harness.book()?.status == .synced, "its number was counted")
    #expect(harness.table() == "100.5×7 99×2 | 101×1.5")
  }

  @Test func `keys in another order and unknown keys do no harm`() {
    var harness = live()
    harness.receive(
      #"{"new":[{}],"events":[{"updates":[{"new_quantity":"0.2","x":{"y":[]},"#
        + #""price_level":"100.5","side":"bid"}],"z":1,"product_id":"BTC-USD","type":"update"}],"#
        + #""client_id":"","sequence_num":\#(harness.next),"timestamp":"2026-08-24T22:34:13Z","#
        + #""channel":"l2_data"}"#)
    #expect(harness.problems.isEmpty && harness.book()?.status == .synced)
    #expect(harness.table() == "100.5×0.2 99×2 | 101×1.5")
  }

  /// As large as the real venue's first message of BTC-USD: 44,000 rows, 4.8 MB.
  @Test func `a first message of megabytes is a book, one with too many rows is refused`() {
    func snapshot(_ count: Int, number: Int64) -> [UInt8] {
      let time = "2026-08-24T22:34:13.483122Z"
      var text = #"{"channel":"l2_data","timestamp":"\#(time)","sequence_num":\#(number),"#
      text += #""events":[{"type":"snapshot","product_id":"BTC-USD","updates":["#
      for index in 0..<count {
        let side = index * 2 < count ? "bid" : "offer"
        let cents = index * 2 < count ? 7_000_000 - index : 7_000_001 + index
        let digits = "\(cents % 100)"
        text += index == 0 ? "" : ","
        text += #"{"side":"\#(side)","event_time":"\#(time)","price_level":"\#(cents / 100)."#
        text += (digits.utf8.count == 1 ? "0" : "") + digits + #"","new_quantity":"0.04761770"}"#
      }
      return Array((text + "]}]}").utf8)
    }
    var harness = CoinbaseHarness(wanting: book)
    let whole = snapshot(44_000, number: harness.next)
    #expect(whole.count > 4_700_000 && whole.count < 16 << 20)
    harness.receive(bytes: whole)
    #expect(harness.problems.isEmpty && harness.book()?.status == .synced)
    #expect(harness.book()?.bidLevels == 22_000 && harness.book()?.askLevels == 22_000)
    var other = CoinbaseHarness(wanting: book)
    other.receive(bytes: snapshot(CoinbaseDecoder.maximumLevels + 1, number: other.next))
    #expect(other.problems.first == .malformed && other.book()?.status != .synced)
  }
}
