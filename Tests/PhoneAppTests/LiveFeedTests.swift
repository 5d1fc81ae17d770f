// The live client: the hub's values on the main thread, one connection for all screens (PT6), and
// never a queue of old values.

import AppState
import Combine
import Foundation
import MarketModel
import SocketTransport
import Testing
import VenueProtocols

@testable import FeedConnections
@testable import PhoneApp
@_spi(Host) import SwiftUI

@MainActor @Suite struct LiveFeedTests {
  @Test func `PT2, PT6 feed and details show echoed prices over one socket`() async throws {
    let server = EchoServer()
    let feeds = FeedClient.live(
      hub: server.hub, products: nil, token: TokenBox(nil), clock: server.clock)
    let model = AppModel(
      feeds: feeds, vault: MemoryTokenVault(), preferences: MemoryPreferences())
    let host = ViewHost(RootView(model: model))
    host.set(\.locale, Locale(identifier: "en_US"))
    server.hub.start()
    await server.pass(3000)
    #expect(host.texts.contains("Connected"))
    #expect(host.all.filter { $0.kind == .link && $0.label.contains("$") }.count == 25)
    try host.tap("AAPL")
    await server.pass(3000)
    #expect(host.navigationTitle == "AAPL")
    #expect(host.texts.dropFirst(4).first?.hasPrefix("$") == true, "\(host.texts)")
    try host.back()
    await server.pass(1000)
    #expect(server.sockets == 1)
    await server.hub.shutdown()
  }

  @Test func `a value that was never taken is replaced by the newest, not queued`() async {
    let subject = CurrentValueSubject<Int, Never>(0)
    var seen: [Int] = []
    let observation = subject.onMain { seen.append($0) }
    for value in 1...100 { subject.send(value) }
    for _ in 0..<100 where seen.last != 100 { await Task.yield() }
    #expect(seen == [0, 100])
    observation.cancel()
    subject.send(101)
    for _ in 0..<20 { await Task.yield() }
    #expect(seen == [0, 100])
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
    let venues = VenueList.simulated(at: "http://mac.local:8080/").connections(
      token: token, seed: 1)
    #expect(
      venues.map(\.endpoint.description) == [
        "ws://mac.local:8080/bitmex/realtime", "ws://mac.local:8080/bux/subscriptions/me",
        "ws://mac.local:8080/echo",
      ])
    #expect(
      venues.map { $0.headers.contains { $0.value.contains("secret") } } == [false, true, false])
    #expect(venues.allSatisfy { $0.session.origin == .simulated })
    let real = VenueList.real.connections(token: nil, seed: 1)
    #expect(
      real.map(\.endpoint.host) == [
        "ws.bitmex.com", "rtf.beta.getbux.com", "ws.postman-echo.com",
      ])
    #expect(real.allSatisfy { $0.endpoint.isSecure })
    #expect(VenueList.real.products?.description == "https://api.beta.getbux.com/")
  }
}
