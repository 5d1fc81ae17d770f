// LT2: what the topic server records of the books that pages open.

import AppState
import MarketModel
import MarketStreams
import Testing

@testable import LivetapeServer

@Suite struct TopicServerTruthTests {
  private let page = PageID(number: 1)
  private let midnight: Int64 = 20_000 * 86_400_000
  private let instrument = InstrumentKey(.kraken, Symbol(known: "BTC/USD"))
  private var key: MarketKey { MarketKey(.kraken, .book, instrument.symbol) }

  private func now(_ milliseconds: Int64) -> ClockReading {
    ClockReading(milliseconds: midnight + milliseconds)
  }

  private func server() -> TopicServer {
    var server = TopicServer(catalogue: .screens(origin: .simulated))
    _ = server.connect(page, at: now(0))
    return server
  }

  private func say(_ text: String, _ server: inout TopicServer, at now: ClockReading) {
    _ = server.receive(Array(text.utf8), from: page, at: now)
  }

  private func view(
    _ status: BookStatus, _ state: FreshnessState, isKnown: Bool = true,
    of symbol: Symbol? = nil, _ grouping: PriceGrouping = .none, at now: ClockReading
  ) -> BookView {
    let freshness = Freshness(state: state, origin: .simulated, confirmedAt: now)
    return BookView(
      symbol: symbol ?? instrument.symbol, status: status, freshness: freshness, bids: [],
      asks: [],
      bidLevels: 0, askLevels: 0, priceScale: .whole, quantityScale: .whole, priceDecimals: .whole,
      sequence: 1, resyncs: 0, isKnown: isKnown, grouping: grouping)
  }

  private func show(
    _ status: BookStatus, _ state: FreshnessState, isKnown: Bool = true,
    _ server: inout TopicServer, at now: ClockReading
  ) {
    let view = view(status, state, isKnown: isKnown, at: now)
    _ = server.changed(key, at: now)
    _ = server.read(for: [page], at: now) { [key] in $0 == key ? .book(view) : nil }
  }

  private func levels(_ server: TopicServer) -> [TruthLevel] {
    server.truths.records[instrument]?.spans.map(\.level) ?? []
  }

  @Test func `a book is recorded while a page shows it, with each of its states`() throws {
    var server = server()
    #expect(levels(server) == [])
    say(#"{"open":["book/BTC/USD"]}"#, &server, at: now(1000))
    #expect(levels(server) == [], "nothing has come that could be judged")
    show(.synced, .live, &server, at: now(2000))
    show(.resyncing, .resyncing, &server, at: now(5000))
    show(.synced, .live, &server, at: now(5400))
    say(#"{"close":["book/BTC/USD"]}"#, &server, at: now(9000))
    #expect(levels(server) == [.live, .resyncing, .live, .unwatched])
    let record = try #require(server.truths.records[instrument])
    let day = try #require(record.day(at: midnight + 20_000))
    #expect(day[.live] == 6600 && day[.resyncing] == 400 && day.resyncs == 1)
    #expect(day.inDoubt == 400 && day[.unwatched] == 11_000)
  }

  @Test(arguments: [
    (Venue.binance, "BTCUSDT", "book/binance:BTCUSDT", "book/binance:BTCUSDT?group=10"),
    (.kraken, "BTC/USD", "book/BTC/USD", "book/BTC/USD?group=10"),
    (.kraken, "BTC/USD", "book/kraken:BTC/USD", "book/BTC/USD?group=10"),
  ])
  func `grouped rows are not recorded beside ungrouped ones, however the book is named`(
    venue: Venue, symbol: String, plain: String, grouped: String
  ) throws {
    let instrument = InstrumentKey(venue, try #require(Symbol(symbol)))
    var server = server()
    say(#"{"open":["\#(plain)","\#(grouped)"]}"#, &server, at: now(1000))
    let keys = server.followers.keys.compactMap { interest -> MarketKey? in
      guard case .values(let key) = interest, key.subscription.channel == .book else { return nil }
      return key
    }
    #expect(keys.count == 2)
    for key in keys { _ = server.changed(key, at: now(2000)) }
    _ = server.read(for: [page], at: now(2000)) { key in
      let isPlain = key.subscription.grouping.isNone
      return .book(
        view(
          isPlain ? .synced : .resyncing, isPlain ? .live : .resyncing, of: instrument.symbol,
          key.subscription.grouping, at: now(2000)))
    }
    let record = try #require(server.truths.records[instrument])
    #expect(record.spans.map(\.level) == [.live])
  }

  @Test func `a page that is gone looks no more`() {
    var server = server()
    say(#"{"open":["book/BTC/USD"]}"#, &server, at: now(1000))
    show(.synced, .live, &server, at: now(2000))
    _ = server.disconnect(page, at: now(3000))
    #expect(levels(server) == [.live, .unwatched])
  }

  @Test func `a page that is gone looks no more, also at a book that waits for its rows`() {
    var server = server()
    say(#"{"open":["book/BTC/USD"]}"#, &server, at: now(1000))
    show(.waiting, .disconnected, &server, at: now(2000))
    show(.waiting, .waiting, &server, at: now(3000))
    _ = server.disconnect(page, at: now(4000))
    #expect(levels(server) == [.blind, .unwatched])
  }

  @Test func `of a book that its venue refuses nothing is seen, until it has it after all`() {
    var server = server()
    say(#"{"open":["book/BTC/USD"]}"#, &server, at: now(1000))
    show(.synced, .live, &server, at: now(2000))
    show(.waiting, .waiting, isKnown: false, &server, at: now(3000))
    #expect(levels(server) == [.live, .unwatched])
    show(.waiting, .waiting, &server, at: now(4000))
    #expect(levels(server) == [.live, .unwatched])
    show(.synced, .live, &server, at: now(5000))
    #expect(levels(server) == [.live, .unwatched, .live])
  }

  @Test func `an outage names the venue's own reason`() throws {
    var server = server()
    say(#"{"open":["book/BTC/USD"]}"#, &server, at: now(1000))
    show(.synced, .live, &server, at: now(2000))
    var status = ConnectionStatus(venue: .kraken, origin: .simulated, since: now(3000))
    status.phase = .backingOff
    status.reason = "The venue closed the connection."
    _ = server.receive(status, at: now(3000))
    let last = try #require(server.truths.records[instrument]?.spans.last)
    #expect(last.level == .blind && last.cause == "The venue closed the connection.")
  }

  @Test(arguments: [(3_600_000, 3_600_000), (0, 3_600_000)])
  func `while the machine slept, or its clock was set ahead, is unobserved`(
    slept: Int64, wall: Int64
  ) throws {
    var server = server()
    say(#"{"open":["book/BTC/USD"]}"#, &server, at: now(1000))
    show(.synced, .live, &server, at: now(2000))
    for time in [2250, 2500, 3000, 5000] as [Int64] { _ = server.timer(at: now(time)) }
    #expect(levels(server) == [.live], "a timer may be late")
    let (monotonic, end) = (5250 + slept, 5250 + wall)
    let woken = ClockReading(
      monotonic: MonotonicTime(milliseconds: midnight + monotonic),
      wall: Timestamp(milliseconds: midnight + end))
    _ = server.timer(at: woken)
    let record = try #require(server.truths.records[instrument])
    #expect(record.spans.map(\.level) == [.live, .unwatched, .live])
    #expect(record.spans.map(\.since) == [2000, 5000, end].map { midnight + $0 })
    let day = try #require(record.day(at: midnight + end + 1000))
    #expect(day[.live] == 4000 && day[.unwatched] == end - 5000)
  }

  @Test func `a clock that was set back and then ahead takes nothing of what was seen`() throws {
    var server = server()
    say(#"{"open":["book/BTC/USD"]}"#, &server, at: now(1000))
    show(.synced, .live, &server, at: now(2000))
    for time in [3000, 5000, 100, 2100, 65_000] as [Int64] { _ = server.timer(at: now(time)) }
    let record = try #require(server.truths.records[instrument])
    #expect(record.spans.map(\.level) == [.live, .unwatched, .live])
    #expect(record.spans.map(\.since) == [2000, 5000, 65_000].map { midnight + $0 })
  }

  @Test func `a change while the clock is behind takes nothing of what was seen`() throws {
    var server = server()
    say(#"{"open":["book/BTC/USD"]}"#, &server, at: now(1000))
    show(.synced, .live, &server, at: now(2000))
    for time in [3000, 5000, 100] as [Int64] { _ = server.timer(at: now(time)) }
    show(.synced, .late, &server, at: now(200))
    _ = server.timer(at: now(65_000))
    let record = try #require(server.truths.records[instrument])
    #expect(record.spans.map(\.level) == [.live, .late, .unwatched, .late])
    #expect(record.spans.map(\.since) == [2000, 5000, 5000, 65_000].map { midnight + $0 })
    let day = try #require(record.day(at: midnight + 65_000))
    #expect(day[.live] == 3000 && day[.late] == 0)
  }

  @Test func `a book is noted even while no page that looks at it can be sent anything`() {
    var server = server()
    say(#"{"open":["book/BTC/USD"]}"#, &server, at: now(1000))
    show(.synced, .live, &server, at: now(2000))
    server.pause(page)
    let view = self.view(.resyncing, .resyncing, at: now(3000))
    _ = server.changed(key, at: now(3000))
    let effects = server.readUnseen(at: now(3250)) { [key] in $0 == key ? .book(view) : nil }
    #expect(levels(server) == [.live, .resyncing])
    #expect(effects == [], "the page gets nothing")
    _ = server.resume(page, at: now(4000))
    _ = server.changed(key, at: now(4000))
    _ = server.readUnseen(at: now(4000)) { _ in nil }
    #expect(server.unread == [key], "a frame reads it")
  }

  @Test func `the topic of truth brings what was noted, and what is noted from then on`() {
    var server = server()
    say(#"{"open":["book/BTC/USD"]}"#, &server, at: now(1000))
    show(.synced, .live, &server, at: now(2000))
    say(#"{"open":["truth/kraken/BTC/USD"]}"#, &server, at: now(2500))
    let first = texts(server.frames(at: now(2500)))
    #expect(first.contains(#""topic":"truth/kraken/BTC/USD","seq":0,"snapshot":{"spans":[["#))
    #expect(first.contains(#","live",null]]"#))
    show(.synced, .late, &server, at: now(4000))
    let news = texts(server.frames(at: now(4100)))
    #expect(news.contains(#","late",null]]"#) && news.contains(#""live":2000"#))
  }

  @Test func `as many instruments are remembered as there is room for, the latest ones`() throws {
    var board = TruthBoard()
    for number in 0..<(TruthBoard.maximumInstruments + 5) {
      let key = InstrumentKey(.kraken, try #require(Symbol("S\(number)")))
      let isNew = board.note(.live, of: key, from: .venue, cause: nil, at: midnight + Int64(number))
      #expect(isNew)
    }
    #expect(board.records.count == TruthBoard.maximumInstruments)
    #expect(board.records[InstrumentKey(.kraken, Symbol(known: "S0"))] == nil)
    #expect(board.records[InstrumentKey(.kraken, Symbol(known: "S132"))] != nil)
    let isNothing = board.note(.unwatched, of: instrument, from: .venue, cause: nil, at: midnight)
    #expect(!isNothing)
  }

  private func texts(_ effects: [TopicEffect]) -> String {
    effects.compactMap { effect in
      guard case .send(_, let bytes) = effect else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }.joined()
  }
}
