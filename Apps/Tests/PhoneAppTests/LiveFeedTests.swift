// The live client: the hub's values on the main thread, one connection for all screens (PT6), and
// never a queue of old values.

import VenueProtocols
import AppState
import Combine
import Foundation
import Logging
import MarketModel
import MarketStreams
import SocketTransport
import PhoneAppFixtures
import Testing
import VenueCatalogue

@testable import FeedConnections
@testable import PhoneApp
@_spi(Host) import SwiftUI

@MainActor @Suite struct LiveFeedTests {
  @Test func `PT2, PT6 feed and details show echoed prices over one socket`() async throws {
    let server = EchoServer()
    let feeds = FeedClient.live(
      hub: server.hub, candles: server.candles, survey: server.survey,
      venues: VenueList(MarketChoice(.venues)), products: nil, token: TokenBox(nil),
      clock: server.clock)
    let model = AppModel(
      feeds: feeds, vault: MemoryTokenVault(), preferences: MemoryPreferences(),
      ledger: LedgerPlace(path: "/dev/null/livetape/orders.sqlite", clock: server.clock.now))
    let host = ViewHost(RootView(model: model))
    host.set(\.locale, Locale(identifier: "en_US"))
    server.hub.start()
    await server.pass(3000)
    #expect(host.texts.contains("Connected"))
    #expect(host.all.filter { $0.kind == .link && $0.label.contains("$") }.count == 25)
    try host.tap("AAPL")
    await server.pass(3000)
    #expect(host.navigationTitle == "AAPL")
    #expect(host.texts.dropFirst(5).first?.hasPrefix("$") == true, "\(host.texts)")
    try host.back()
    await server.pass(1000)
    #expect(server.sockets == 1)
    await server.hub.shutdown()
  }

  @Test func `a value that was never taken is replaced by the newest, not queued`() async {
    let subject = CurrentValueSubject<Int, Never>(0)
    var seen: [Int] = []
    let observation = subject.newestOnMain { seen.append($0) }
    for value in 1...100 { subject.send(value) }
    for _ in 0..<100 where seen.last != 100 { await Task.yield() }
    #expect(seen == [0, 100])
    observation.cancel()
    subject.send(101)
    for _ in 0..<20 { await Task.yield() }
    #expect(seen == [0, 100])
  }

  @Test func `the last value before the end is delivered`() async {
    let subject = CurrentValueSubject<Int, Never>(7)
    var seen: [Int] = []
    let observation = subject.newestOnMain { seen.append($0) }
    subject.send(completion: .finished)
    for _ in 0..<100 where seen.isEmpty { await Task.yield() }
    #expect(seen == [7])
    observation.cancel()
  }

  @Test func `the whole app starts and reports what it can't reach`() async throws {
    let preferences = MemoryPreferences()
    preferences.markets = MarketChoice(.server, server: "http://127.0.0.1:1")
    var environment = AppEnvironment.device
    environment.preferences = preferences
    environment.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    environment.folder = URL(fileURLWithPath: "/dev/null/livetape")
    let host = ViewHost(app: LaunchedApp.Shell(environment: environment))
    #expect(host.all.filter { $0.kind == .link }.count == 25)
    await host.settle { host.texts.contains { $0.contains("onnect") } }
    #expect(!host.texts.contains("Connected"))
    #expect(host.complaints.isEmpty)
  }

  private func trade(_ arrival: UInt64, price: Int64 = 1) -> MarketEvent {
    .trade(
      Trade(
        price: Price(units: price), size: Quantity(units: 1), side: .buy,
        time: Timestamp(milliseconds: Int64(arrival)), arrival: arrival),
      priceScale: .whole, quantityScale: .whole)
  }

  @Test func `events reach the main thread one by one and in order, within a bound`() async throws {
    let key = MarketKey(.bitmex, .trades, try symbol("XBTUSD"))
    var seen: [MarketEvent] = []
    let inbox = EventInbox { _, event in seen.append(event) }
    for arrival in 1...100 { inbox.take(key, trade(UInt64(arrival))) }
    for _ in 0..<10_000 where seen.count < 100 { await Task.yield() }
    #expect(seen == (1...100).map { trade($0) })
    seen = []
    for arrival in 0...EventInbox.limit { inbox.take(key, trade(UInt64(arrival))) }
    for _ in 0..<10_000 where seen.isEmpty { await Task.yield() }
    let kept = EventInbox.limit / 4 * 3 + 1
    #expect(seen.first == .missed, "what was given up is told where it would have stood")
    #expect(seen.dropFirst() == (0...EventInbox.limit).suffix(kept).map { trade(UInt64($0)) }[...])
    #expect(seen.last == trade(UInt64(EventInbox.limit)), "the newest is kept")
  }

  @Test func `a chart's screen gets every price while it is open`() throws {
    let feeds = TestFeeds()
    let name = try symbol("XBTUSD")
    let key = MarketKey(.bitmex, .trades, name)
    let store = ScreenStore(
      try #require(ChartScreen(venue: .bitmex, symbol: name)), feeds: feeds.client)
    store.open()
    for arrival in 1...3 { feeds.happen(key, trade(UInt64(arrival), price: Int64(arrival))) }
    #expect(store.state.candles.ticks.count == 3)
    store.close()
    feeds.happen(key, trade(4))
    #expect(store.state.candles.ticks.count == 3)
  }

  @Test func `a store that is let go observes nothing any more`() throws {
    let feeds = TestFeeds()
    let key = MarketKey(.echo, .quote, try symbol("AAPL"))
    var store: ScreenStore<SymbolScreen>? = ScreenStore(
      SymbolScreen(symbol: try symbol("AAPL")), feeds: feeds.client)
    store?.open()
    store?.open()
    #expect(feeds.observers[key] == 1)
    store = nil
    #expect(feeds.observers[key] == 0)
  }

  @Test func `venues are found below a Livetape server, the token among BUX's headers only`() throws
  {
    let token = try #require(AccessToken("secret"))
    func list(_ choice: MarketChoice) -> VenueList { VenueList(choice) }
    let server = MarketChoice(.server, server: "http://mac.local:8080/")
    let venues = list(server).connections(token: token, seed: 1)
    let books = Venue.allCases.filter { !$0.descriptor.books.isEmpty }
    #expect(
      venues.map(\.endpoint.description)
        == books.map { "ws://mac.local:8080/\($0)\($0.descriptor.simulatedPath)" } + [
          "ws://mac.local:8080/bux/subscriptions/me", "ws://mac.local:8080/echo",
        ])
    #expect(
      venues.filter { $0.headers.contains { $0.value.contains("secret") } }
        .map(\.session.venue) == [.bux])
    #expect(venues.allSatisfy { $0.session.origin == .simulated })
    let real = list(MarketChoice(.venues)).connections(token: nil, seed: 1)
    let hosts = books.filter { $0 != .bitmex }
      .compactMap { $0.descriptor.publicAddress.flatMap(URL.init(string:))?.host }
    #expect(
      real.map(\.endpoint.host) == hosts + ["rtf.beta.getbux.com", "ws.postman-echo.com"])
    #expect(real.allSatisfy { $0.endpoint.isSecure && $0.session.origin == .venue })
    #expect(list(MarketChoice(.venues)).closed == [.bitmex], "it closed for good")
    #expect(list(server).closed.isEmpty)
    var entered = MarketChoice(.venues)
    entered[.exchange] = "tcp://127.0.0.1:8091"
    entered[.bux] = "http://127.0.0.1:8080"
    let own = list(entered).connections(token: nil, seed: 1).filter {
      [.exchange, .bux].contains($0.session.venue)
    }
    #expect(Set(own.map(\.endpoint.port)) == [8080, 8091])
    #expect(own.allSatisfy { $0.session.origin == .custom }, "whatever its host looks like")
    #expect(list(MarketChoice(.server, server: "nonsense")).addresses.isEmpty)
  }
}
