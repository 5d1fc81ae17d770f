// When a server is ready, and its reasons when it is not.

import AppState
import Foundation
import MarketModel
import PaperTrading
import Testing

@testable import LivetapeServer

@Suite struct ReadinessTests {
  private let page = PageID(number: 1)
  private let now = ClockReading(milliseconds: 1000)
  private let rules = TradingRules(oneStock: Symbol(known: "TROAD"))
  private let kraken = MarketKey(.kraken, .book, Symbol(known: "BTC/USD"))

  /// A server with its venues in this phase and its orders stored.
  private func server(_ phase: ConnectionPhase = .live) -> TopicServer {
    var server = TopicServer(catalogue: .screens(origin: .simulated))
    for venue in Venue.allCases { connect(venue, phase, &server) }
    orders(failure: nil, &server)
    _ = server.connect(page, at: now)
    return server
  }

  private func connect(
    _ venue: Venue, _ phase: ConnectionPhase, rejectsLocation: Bool = false,
    _ server: inout TopicServer
  ) {
    var status = ConnectionStatus(venue: venue, origin: .simulated, since: now)
    status.phase = phase
    status.rejectsLocation = rejectsLocation
    _ = server.receive(status, at: now)
  }

  private func orders(failure: Sentence?, _ server: inout TopicServer) {
    let overview = PaperTrader(rules: rules).overview(
      storage: nil, failure: failure, skippedTicks: 0)
    _ = server.receive(overview, at: now)
  }

  private func book(
    _ state: FreshnessState, _ status: BookStatus = .synced, isProven: Bool = true,
    grouping: PriceGrouping = .none, isKnown: Bool = true, doubt: BookDoubt? = nil
  ) -> MarketValue {
    .book(
      BookView(
        symbol: kraken.subscription.symbol, status: status,
        freshness: Freshness(state: state, origin: .simulated, confirmedAt: now), bids: [],
        asks: [], bidLevels: 0, askLevels: 0, priceScale: .whole, quantityScale: .whole,
        priceDecimals: .whole, sequence: 1, resyncs: 0, isKnown: isKnown, grouping: grouping,
        proof: isProven ? BookProof(checksum: 0, at: now) : nil, doubt: doubt))
  }

  private func codes(
    _ server: TopicServer, reading value: MarketValue? = nil
  ) -> [UnreadyReason.Code] {
    server.readiness { _ in value }.reasons.map(\.code)
  }

  @Test func `before anything is known a server is not ready`() {
    let server = TopicServer(catalogue: .screens(origin: .simulated))
    #expect(codes(server) == [.starting, .starting])
  }

  @Test func `with all venues connected and orders kept it is ready`() {
    #expect(codes(server()) == [])
    #expect(codes(server(.subscribing)) == [])
  }

  @Test(arguments: ConnectionPhase.allCases)
  func `an unreachable venue is a reason unless the user stopped it`(phase: ConnectionPhase) {
    var server = server()
    connect(.exchange, phase, &server)
    let isFine: Set<ConnectionPhase> = [.live, .subscribing, .stopped]
    #expect(codes(server) == (isFine.contains(phase) ? [] : [.venueDisconnected]))
  }

  @Test(arguments: ConnectionPhase.allCases)
  func `a venue that rejects this location is a reason only if it was requested by name`(
    phase: ConnectionPhase
  ) {
    for isRequested in [false, true] {
      var server = server()
      if isRequested { server.requestedVenues = [.binance] }
      connect(.binance, phase, rejectsLocation: true, &server)
      connect(.bybit, .stopped, &server)
      let isFine = !isRequested || [.live, .subscribing, .stopped].contains(phase)
      #expect(codes(server) == (isFine ? [] : [.venueDisconnected]), "\(isRequested)")
      connect(.binance, .backingOff, &server)
      #expect(codes(server) == [.venueDisconnected], "it fails for another reason")
    }
  }

  @Test func `a book whose venue rejects this location is a reason only if it was requested`() {
    var server = server()
    _ = server.receive(Array(#"{"open":["book/BTC/USD"]}"#.utf8), from: page, at: now)
    let waiting = book(.waiting, .waiting, doubt: .location)
    #expect(codes(server, reading: waiting) == [])
    #expect(codes(server, reading: book(.waiting, .waiting, doubt: .limit)) == [.bookNotLive])
    server.requestedVenues = [.kraken]
    #expect(codes(server, reading: waiting) == [.bookNotLive])
  }

  @Test func `a ledger that refuses is a reason with its words until it takes orders again`() {
    var server = server()
    orders(failure: "The disk is full.", &server)
    let readiness = server.readiness { _ in nil }
    #expect(readiness.reasons == [UnreadyReason(code: .ordersRefused, text: "The disk is full.")])
    orders(failure: nil, &server)
    #expect(codes(server) == [])
  }

  @Test(arguments: FreshnessState.allCases)
  func `a book on a page counts while it is open, whatever its last frame showed`(
    state: FreshnessState
  ) {
    var server = server()
    #expect(codes(server, reading: book(state)) == [], "nobody looks")
    _ = server.receive(Array(#"{"open":["book/BTC/USD"]}"#.utf8), from: page, at: now)
    let isFine = state == .live || state == .closed
    #expect(codes(server, reading: book(state)) == (isFine ? [] : [.bookNotLive]))
    #expect(codes(server) == [.bookNotLive], "it has not come yet")
    _ = server.receive(Array(#"{"close":["book/BTC/USD"]}"#.utf8), from: page, at: now)
    #expect(codes(server, reading: book(state)) == [])
  }

  @Test func `a book needs the proof that its venue sends, rows that have none do not`() throws {
    var server = server()
    _ = server.receive(Array(#"{"open":["book/BTC/USD"]}"#.utf8), from: page, at: now)
    #expect(codes(server, reading: book(.live, isProven: false)) == [.bookUnproven])
    #expect(codes(server, reading: book(.live, .resyncing)) == [.bookNotLive])
    let grouped = try #require(PriceGrouping(ticks: 25))
    #expect(codes(server, reading: book(.live, isProven: false, grouping: grouped)) == [])
    #expect(codes(server, reading: book(.waiting, isKnown: false)) == [], "there is no such book")
    _ = server.receive(
      Array(#"{"close":["book/BTC/USD"],"open":["book/XBTUSD"]}"#.utf8), from: page, at: now)
    #expect(codes(server, reading: book(.live, isProven: false)) == [], "BitMEX sends none")
  }

  @Test func `the answer names venue and instrument and is bounded`() throws {
    var readiness = Readiness()
    let symbol = try #require(Symbol("BTC/USD"))
    for _ in 0..<100 {
      readiness.reasons.append(
        UnreadyReason(code: .bookNotLive, venue: .kraken, symbol: symbol, text: "is \"late\""))
    }
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(readiness.json)) as? [String: Any])
    #expect(object["ready"] as? Bool == false && object["count"] as? Int == 100)
    let reasons = try #require(object["reasons"] as? [[String: String]])
    #expect(reasons.count == Readiness.maximumReasons)
    #expect(
      reasons[0] == [
        "code": "book_not_live", "venue": "kraken", "symbol": "BTC/USD", "text": "is \"late\"",
      ])
    #expect(
      String(decoding: Readiness().json, as: UTF8.self)
        == #"{"ready":true,"count":0,"reasons":[]}"#)
  }
}
