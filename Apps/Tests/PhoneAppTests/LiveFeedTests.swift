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
import PhoneStoresFixtures
import Testing
import VenueCatalogue

@testable import FeedConnections
@testable import PhoneApp
@testable import PhoneStores
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
}
