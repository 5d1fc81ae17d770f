// The venue's own examples of its checksum, and the proof that goes with the rows.

import MarketModel
import OrderBook
import Testing

@testable import VenueProtocols

struct KrakenChecksumTests {
  @Test func `the documented snapshot has the documented checksum`() throws {
    let text = try KrakenPayloads.documentedSnapshot()
    var replay = KrakenReplay()
    let now = ClockReading(milliseconds: 1)
    let problem = replay.process(Array(text.utf8).span, at: now)
    #expect(problem == nil)
    let symbol = try #require(Symbol("BTC/USD"))
    let view = try #require(replay.bookView(for: symbol, at: now))
    #expect(view.status == .synced && view.resyncs == 0)
    #expect(view.bids.count == 10 && view.asks.count == 10)
    #expect(FixedDecimal(view.bids[0].price, scale: view.priceScale).description == "45283.5")
    #expect(FixedDecimal(view.asks[0].size, scale: view.quantityScale).description == "0.00100000")
    var checksum = KrakenChecksum()
    let value = checksum.value(of: try #require(replay.book(for: symbol)))
    #expect(value == 3_310_070_434)
    #expect(view.proof == BookProof(checksum: 3_310_070_434, at: now))
  }

  @Test(arguments: [true, false])
  func `a recording of another depth replays, with or without its acknowledgement`(
    _ isAcknowledged: Bool
  ) throws {
    func levels(_ range: Range<Int>) -> String {
      range.map { "\(1000 - $0).0×1.00000000" }.joined(separator: " ")
    }
    var messages = [
      KrakenHarness.book("snapshot", bids: levels(0..<10), sum: levels(0..<10) + " | "),
      // The tenth drops out, then returns without a new message about it.
      KrakenHarness.book(
        "update", bids: "1001.0×1.00000000", sum: "1001.0×1.00000000 " + levels(0..<9) + " | "),
      KrakenHarness.book(
        "update", bids: "1001.0×0 990.0×2.00000000",
        sum: levels(0..<9) + " 990.0×2.00000000 | "),
    ]
    if isAcknowledged {
      let acknowledgement =
        #"{"method":"subscribe","result":{"channel":"book","depth":10,"symbol":"BTC/USD"},"#
        + #""success":true}"#
      messages.insert(acknowledgement, at: 0)
    }
    var replay = KrakenReplay()
    let now = ClockReading(milliseconds: 1)
    for message in messages { replay.process(Array(message.utf8).span, at: now) }
    let view = replay.bookView(for: KrakenHarness.bitcoin, at: now)
    #expect(view?.status == .synced && view?.bidLevels == 10 && view?.resyncs == 0)
  }

  @Test func `one wrong digit in the documented snapshot is found`() throws {
    let text = try KrakenPayloads.documentedSnapshot()
    let symbol = try #require(Symbol("BTC/USD"))
    let bytes = Array(text.utf8)
    // The venue's own time, which no proof covers, is last.
    let end = bytes.count - "2023-10-06T17:35:55.440295Z\"}]}".utf8.count
    for index in 0..<end where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
      var changed = bytes
      changed[index] = bytes[index] == UInt8(ascii: "9") ? UInt8(ascii: "8") : bytes[index] + 1
      var replay = KrakenReplay()
      let now = ClockReading(milliseconds: 1)
      let problem = replay.process(changed.span, at: now)
      let view = replay.bookView(for: symbol, at: now)
      #expect(problem != nil || view?.status != .synced, "digit at byte \(index)")
    }
  }

  @Test func `a captured connection verifies, leading zeros and all`() throws {
    var replay = KrakenReplay()
    var now = ClockReading(milliseconds: 0)
    for (index, line) in try KrakenPayloads.captured().enumerated() {
      now = ClockReading(milliseconds: Int64(index))
      let problem = replay.process(Array(line.utf8).span, at: now)
      #expect(problem == nil, "line \(index + 1)")
      guard let pair = Symbol("ETH/BTC"), let view = replay.bookView(for: pair, at: now) else {
        continue
      }
      var shared = BookChecksum()
      let found = view.proof.map { _ in shared.value(bids: view.bids, asks: view.asks) }
      #expect(view.proof?.checksum == found, "line \(index + 1)")
    }
    let symbol = try #require(Symbol("ETH/BTC"))
    let view = try #require(replay.bookView(for: symbol, at: now))
    #expect(view.status == .synced && view.resyncs == 0 && view.sequence == 2)
    #expect(view.priceScale.digits == 6 && view.quantityScale.digits == 8)
    var checksum = KrakenChecksum()
    let value = checksum.value(of: try #require(replay.book(for: symbol)))
    #expect(value == 2_505_869_009)
  }
}
