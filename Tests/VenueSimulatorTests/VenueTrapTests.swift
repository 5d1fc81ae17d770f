// What only one venue does: its own ways to lose data, to announce an end, and to refuse.

import MarketModel
import Testing
import VenueCatalogue
import VenueProtocols
import VenueSimulator

@Suite struct VenueTrapTests {
  private func binance(_ behaviour: BinanceBehaviour) -> VenueCase {
    .binance.variant("") { SimulatedBinance(seed: $0, start: $1, behaviour: behaviour) }
  }

  private func snapshots(_ loop: BookLoop) -> Int {
    loop.sent.count { $0.contains("depth?symbol=BTCUSDT") }
  }

  // MARK: Trades

  /// Loses the first messages that are `isLost`, and returns the trades of two minutes.
  private func tradesAfterLosses(
    _ loop: inout BookLoop, _ count: Int, _ isLost: @escaping (String) -> Bool
  ) -> [TapeTradeRow] {
    loop.forgetEffects()
    var lost = 0
    loop.mischief = { _, bytes in
      guard lost < count, isLost(String(decoding: bytes.prefix(60), as: UTF8.self)) else {
        return [bytes]
      }
      lost += 1
      return []
    }
    loop.run(milliseconds: 120_000)
    #expect(lost == count)
    return loop.effects.compactMap { effect in
      guard case .happened(_, .trade(let trade, _, _)) = effect else { return nil }
      return TapeTradeRow(arrival: trade.arrival, identifier: trade.identifier)
    }
  }

  private struct TapeTradeRow {
    let arrival: UInt64
    let identifier: Int64
  }

  @Test func `Kraken's lost trade is fetched, every trade is reported once`() {
    var loop = VenueCase.kraken.live(seed: 21)
    let rows = tradesAfterLosses(&loop, 3) {
      $0.hasPrefix(#"{"channel":"trade","type":"update""#)
    }
    #expect(
      rows.count > 5 && zip(rows, rows.dropFirst()).allSatisfy { $1.arrival == $0.arrival + 1 })
    #expect(loop.sent.contains { $0.contains(#"unsubscribe","params":{"channel":"trade""#) })
  }

  @Test func `OKX's lost trade restarts the list, and none is reported twice`() {
    var loop = VenueCase.okx.live(seed: 21)
    let rows = tradesAfterLosses(&loop, 3) { $0.contains(#""trades""#) }
    #expect(rows.count > 5 && zip(rows, rows.dropFirst()).allSatisfy { $1.arrival > $0.arrival })
    #expect(loop.sent.contains { $0.contains("unsubscribe") && $0.contains(#""trades""#) })
    #expect(loop.tape?.freshness.state == .live)
  }

  @Test func `Coinbase's trades missed in an outage are reported once, in order`() {
    var loop = VenueCase.coinbase.live(seed: 21)
    var number = 0
    let rows = tradesAfterLosses(&loop, 1) { _ in
      number += 1
      return number == 40
    }
    #expect(loop.reconnects == 1)
    #expect(
      rows.count > 5
        && zip(rows, rows.dropFirst()).allSatisfy { $1.identifier == $0.identifier + 1 })
  }

  @Test func `Coinbase's trades are numbered without gaps, and end at the last price`() {
    let loop = VenueCase.coinbase.live()
    let numbers = loop.tape?.trades.map(\.identifier) ?? []
    #expect(numbers.count == 30 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 == $1 + 1 })
    let newest = loop.tape.flatMap { tape in
      tape.trades.first.map { FixedDecimal($0.price, scale: tape.priceScale) }
    }
    #expect(newest != nil && loop.figures?.last == newest)
  }

  @Test func `the side of a trade at Coinbase is the taker's`() throws {
    let start = BookLoop.start
    var loop = VenueCase.coinbase.live()
    loop.run(milliseconds: 60_000)
    // The venue sends the maker's side; its tape has the taker's.
    var (buys, sells) = (0, 0)
    for case .happened(_, .trade(let trade, _, _)) in loop.effects {
      if trade.side == .buy { buys += 1 } else { sells += 1 }
    }
    var same = VenueDriver(SimulatedCoinbase(seed: 5, start: start))
    same.connect(1, VenueRequest(path: "/advanced"))
    for message in loop.sent { same.send(message, from: 1) }
    same.run(milliseconds: 70_000)
    let raw = same.venue.takerCounts(VenueCase.coinbase.bitcoin.text, latest: buys + sells)
    #expect(buys > 0 && sells > 0)
    #expect(raw?.buys == buys && raw?.sells == sells)
  }

  @Test func `Coinbase's products outside the catalogue open once they are listed, others never`() {
    let listed = Subscription(.book, Symbol(known: "SHIB-USD"))
    let absent = Subscription(.book, Symbol(known: "NOPE-USD"))
    var slow = VenueCase.coinbase
    slow.responseMilliseconds = 400
    var loop = BookLoop(slow, wanting: [slow.book, listed, absent, .listing])
    loop.connect()
    loop.run(milliseconds: 300)
    #expect(loop.book()?.status == .synced && loop.book(listed.symbol)?.bids.isEmpty == true)
    loop.run(milliseconds: 2000)
    #expect(BookLoop.table(loop.book(listed.symbol)) == loop.published(listed.symbol))
    #expect(loop.book(listed.symbol)?.freshness.state == .live)
    #expect(loop.book(absent.symbol)?.isKnown == false && loop.reconnects == 0)
    #expect(loop.sent.allSatisfy { !$0.contains("NOPE") })
    guard case .listing(let listing)? = loop.session.value(for: .listing, at: loop.now) else {
      Issue.record("no list")
      return
    }
    let symbols = SimulatedCoinbase(seed: 1, start: BookLoop.start).symbols
    #expect(listing.instruments.map(\.symbol.text) == symbols.sorted())
    #expect(listing.freshness.state == .live && listing.instruments.allSatisfy(\.isOpen))
    loop.run(milliseconds: 310_000)
    #expect(loop.sent.count { $0.hasPrefix("GET ") } == 2)
  }

  @Test func `Coinbase without responses over HTTP has the catalogue's books`() {
    let other = Subscription(.book, Symbol(known: "SHIB-USD"))
    var loop = BookLoop(.coinbase, wanting: [VenueCase.coinbase.book, other])
    loop.refusesRequests = true
    loop.connect()
    loop.run(milliseconds: 60_000)
    #expect(loop.book()?.freshness.state == .live && loop.reconnects == 0)
    #expect(loop.book(other.symbol)?.freshness.state == .waiting)
    #expect(loop.book(other.symbol)?.isKnown == true)
    loop.refusesRequests = false
    loop.run(milliseconds: 60_000)
    #expect(loop.book(other.symbol)?.freshness.state == .live)
  }

  // MARK: Lists of markets

  @Test(arguments: [VenueCase.okx, .bybit, .bybitLinear, .binance])
  func `a market outside the catalogue is live, in the currencies that the list states`(
    venue: VenueCase
  ) {
    let text = venue.bitcoin.text.replacing("BTC", with: "LTC")
    let listed = Subscription(.book, Symbol(text) ?? venue.bitcoin)
    let trades = Subscription(.trades, listed.symbol)
    #expect(venue.venue.descriptor.books.allSatisfy { $0.symbol != listed.symbol })
    var slow = venue
    slow.responseMilliseconds = 400
    var loop = BookLoop(slow, wanting: [slow.book, listed, trades, .listing])
    loop.connect()
    loop.run(milliseconds: 30_000)
    let view = loop.book(listed.symbol)
    #expect(view?.status == .synced && view?.freshness.state == .live)
    #expect(loop.isHonest(listed.symbol) && view?.bids.count == 20)
    #expect(view?.listed?.base == "LTC" && view?.listed?.quote == "USDT")
    #expect(view?.priceDecimals == Scale(clamping: 2))
    guard case .listing(let listing)? = loop.session.value(for: .listing, at: loop.now) else {
      Issue.record("no list")
      return
    }
    #expect(listing.freshness.state == .live && listing.instruments.allSatisfy(\.isOpen))
    #expect(
      Set(listing.instruments.map(\.symbol))
        == Set(venue.venue.descriptor.books.map(\.symbol) + [listed.symbol]))
    #expect(loop.reconnects == 0 && loop.rejections == 0)
    loop.run(milliseconds: 310_000)
    #expect(loop.sent.count(where: BookLoop.isForList) == 2)
  }

  @Test(arguments: [VenueCase.okx, .bybit, .bybitLinear])
  func `without responses over HTTP books are live, and the list is requested ever less`(
    venue: VenueCase
  ) {
    var loop = BookLoop(venue)
    loop.refusesRequests = true
    loop.connect()
    loop.run(milliseconds: 120_000)
    #expect(loop.isRight && loop.reconnects == 0)
    #expect((6...9).contains(loop.sent.count(where: BookLoop.isForList)))
  }

  @Test func `Binance requests a list that its location is refused every five minutes`() {
    var behaviour = BinanceBehaviour()
    behaviour.blockedStatus = 451
    var loop = BookLoop(binance(behaviour))
    loop.connect()
    loop.run(milliseconds: 620_000)
    #expect(loop.tape?.freshness.state == .live && loop.reconnects == 0)
    #expect((1...3).contains(loop.sent.count(where: BookLoop.isForList)))
  }

  // MARK: Kraken

  @Test func `Kraken is sent one request a channel, and pings keep the connection up`() {
    let bitcoin = VenueCase.kraken.bitcoin
    var loop = BookLoop(
      .kraken,
      wanting: [.init(.book, bitcoin), .init(.trades, bitcoin), .init(.quote, bitcoin)])
    loop.connect()
    loop.run(milliseconds: 10_000)
    #expect(
      loop.sent == [
        #"{"method":"subscribe","params":{"channel":"instrument","include_tokenized_assets":true,"#
          + #""snapshot":true},"req_id":4}"#,
        #"{"method":"subscribe","params":{"channel":"book","symbol":["BTC/USD"],"depth":100,"#
          + #""snapshot":true},"req_id":9}"#,
        #"{"method":"subscribe","params":{"channel":"trade","symbol":["BTC/USD"],"#
          + #""snapshot":true},"req_id":14}"#,
      ])
    loop.run(milliseconds: 180_000)
    #expect(BookLoop.table(loop.book()) == loop.published())
    #expect(loop.book()?.freshness.state == .live && loop.resyncs == 0)
    #expect(loop.driver.closed.isEmpty)
  }

  @Test func `Kraken's heartbeats alone keep nothing live for long`() {
    var loop = VenueCase.kraken.live()
    loop.mischief = { _, bytes in
      bytes == Array(#"{"channel":"heartbeat"}"#.utf8) ? [bytes] : []
    }
    loop.run(milliseconds: 2000)
    for _ in 0..<40 {
      loop.run(milliseconds: 1000)
      loop.inject(#"{"channel":"heartbeat"}"#)
    }
    #expect(loop.book()?.freshness.state == .late)
  }

  // MARK: OKX and Bybit

  /// A loop with an OKX that sends no snapshots.
  private func withoutSnapshots(seed: UInt64) -> BookLoop {
    var behaviour = OKXBehaviour()
    behaviour.sendsSnapshots = false
    let venue = VenueCase.okx.variant("") { [behaviour] in
      SimulatedOKX(seed: $0, start: $1, behaviour: behaviour)
    }
    return venue.live(seed: seed)
  }

  @Test func `OKX's books without snapshots are joined over HTTP, and repaired`() {
    var loop = withoutSnapshots(seed: 8)
    #expect(loop.isRight && loop.sent.contains { $0.hasPrefix("GET /api/v5/market/books") })
    for _ in 0..<10 {
      var isLost = false
      loop.mischief = { _, bytes in
        let isBook = String(decoding: bytes.prefix(40), as: UTF8.self).contains(#""books""#)
        guard isBook, !isLost else { return [bytes] }
        isLost = true
        return []
      }
      loop.run(milliseconds: 5000)
      #expect(loop.isRight)
    }
    #expect(loop.driver.closed.isEmpty)
  }

  @Test func `OKX without snapshots, over HTTP neither, shows no book`() {
    var loop = withoutSnapshots(seed: 5)
    loop.refusesRequests = true
    loop.connectAgain()
    for _ in 0..<180 {
      loop.run(milliseconds: 1000)
      #expect(loop.book()?.status != .synced)
    }
    #expect(loop.sent.count < 40, "requests are spaced")
    loop.refusesRequests = false
    loop.run(milliseconds: 61_000)
    #expect(loop.isRight)
  }

  @Test(arguments: [VenueCase.bybit, .bybitLinear])
  func `a topic that Bybit has already subscribed gets its snapshot in the end`(venue: VenueCase) {
    var loop = BookLoop(venue, seed: 2)
    var isLost = false
    loop.mischief = { _, bytes in
      // The message with the snapshot of the book is lost.
      let text = String(decoding: bytes.prefix(60), as: UTF8.self)
      guard !isLost, text.contains("orderbook.50.BTCUSDT") else { return [bytes] }
      isLost = true
      return []
    }
    loop.connect()
    loop.run(milliseconds: 15_000)
    #expect(loop.isRight && isLost)
  }

  @Test(arguments: [VenueCase.okx, .bybit, .bybitLinear])
  func `a lost acknowledgement leaves no stream unsubscribed`(venue: VenueCase) {
    var loop = venue.live(seed: 21)
    loop.mischief = { _, bytes in
      String(decoding: bytes.prefix(200), as: UTF8.self).contains("unsubscribe") ? [] : [bytes]
    }
    loop.want([venue.book])
    loop.want(venue.streams)
    loop.run(milliseconds: 2000)
    let streams = loop.driver.venue.streams(of: ClientID(1))
    loop.mischief = { [$1] }
    loop.run(milliseconds: 20_000)
    #expect(streams.count < loop.driver.venue.streams(of: ClientID(1)).count)
    #expect(loop.tape?.freshness.state == .live && loop.isRight && loop.reconnects == 0)
  }

  // MARK: Announced ends

  @Test(arguments: [
    (
      VenueCase.okx,
      #"{"event":"notice","msg":"The connection will soon be closed","code":"64008","connId":"1"}"#
    ),
    (.binance, #"{"stream":"!serverShutdown","data":{"e":"serverShutdown","E":1}}"#),
  ])
  func `an announced end leads to one new connection`(venue: VenueCase, text: String) {
    var loop = venue.live()
    loop.inject(text)
    loop.run(milliseconds: 5000)
    #expect(loop.reconnects == 1 && loop.isRight)
  }

  // MARK: Binance's snapshots

  @Test(arguments: [0, 150, 350, 1500] as [Int64])
  func `Binance's book takes one snapshot, however long a response takes`(delay: Int64) {
    var venue = VenueCase.binance
    venue.responseMilliseconds = delay
    var loop = venue.live()
    loop.run(milliseconds: 60_000)
    #expect(snapshots(loop) == 1)
  }

  @Test func `Binance's snapshot older than the stream is fetched again until it fits`() {
    var behaviour = BinanceBehaviour()
    behaviour.oldSnapshots = 3
    var loop = BookLoop(binance(behaviour), wanting: [VenueCase.binance.book])
    // The state of the start ends before the stream begins.
    loop.driver.run(milliseconds: 2000)
    loop.connect()
    loop.run(milliseconds: 2000)
    #expect(loop.book()?.status == .waiting)
    loop.run(milliseconds: 18_000)
    #expect(loop.book()?.status == .synced && loop.isHonest() && snapshots(loop) == 4)
  }

  @Test func `Binance's limited snapshot comes after the wait that the venue demands`() {
    var behaviour = BinanceBehaviour()
    behaviour.limitedSnapshots = 2
    var loop = BookLoop(binance(behaviour), wanting: [VenueCase.binance.book])
    loop.connect()
    loop.run(milliseconds: 1500)
    #expect(loop.book()?.status == .waiting && loop.rejections == 1)
    loop.run(milliseconds: 8000)
    #expect(loop.book()?.status == .synced && loop.isHonest() && loop.rejections == 2)
    #expect(snapshots(loop) == 3)
  }

  @Test(arguments: [418, 451])
  func `Binance refusing every request is not stormed, and trades go on`(status: Int) {
    var behaviour = BinanceBehaviour()
    behaviour.blockedStatus = status
    let streams = VenueCase.binance.streams.filter { $0.symbol == VenueCase.binance.bitcoin }
    var loop = binance(behaviour).live(wanting: streams)
    loop.run(milliseconds: 240_000)
    #expect(loop.sent.count { $0.hasPrefix("GET") } <= 2)
    #expect(loop.tape?.freshness.state == .live)
    #expect(loop.book()?.status == .waiting)
  }
}
