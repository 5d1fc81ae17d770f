import AppState
import FeedConnections
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct DeepLinkTests {
  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test func `a link that starts the app opens the details`() throws {
    let app = TestApp()
    app.host.open(try url("stocks://symbol/NVDA"))
    #expect(app.host.navigationTitle == "NVDA")
    try app.host.back()
    #expect(app.host.navigationTitle == "Price tracker")
  }

  @Test func `a link to a running app replaces what lies on the feed, from any tab`() throws {
    let app = TestApp()
    try app.host.tap("AAPL")
    try app.host.tap("Settings")
    app.host.open(try url("STOCKS://symbol/tsla"))
    #expect(app.host.navigationTitle == "TSLA")
    app.host.open(try url("stocks://symbol/KO"))
    #expect(app.host.navigationTitle == "KO")
    try app.host.back()
    #expect(app.host.navigationTitle == "Price tracker")
  }

  @Test func `an unknown symbol is shown as unknown, and nothing is subscribed for it`() throws {
    let app = TestApp()
    app.host.open(try url("stocks://symbol/NOPE"))
    #expect(app.host.navigationTitle == "NOPE")
    #expect(app.texts == ["Unknown symbol", "There is no stock called NOPE here."])
    #expect(app.feeds.observers[MarketKey(.echo, .quote, try symbol("NOPE"))] == nil)
  }

  @Test(arguments: [
    "stocks://nowhere", "stocks://symbol/%00", "stocks://symbol/", "stocks://stocks",
  ])
  func `an invalid link is reported and leaves the screen unchanged`(link: String) throws {
    let app = TestApp()
    try app.host.tap("AAPL")
    app.host.open(try url(link))
    #expect(app.texts.contains("This link leads nowhere in this app."))
    try app.host.tap("OK")
    #expect(app.host.navigationTitle == "AAPL")
    #expect(!app.texts.contains("This link leads nowhere in this app."))
  }

  @Test func `links reach the other tabs as well`() throws {
    let app = TestApp()
    app.host.open(try url("stocks://trades/ETHUSD"))
    #expect(app.host.navigationTitle == "ETHUSD")
    #expect(app.texts.contains("Time"))
    app.host.open(try url("stocks://product/sb26493"))
    #expect(app.host.navigationTitle == "Germany 30")
  }

  @Test func `links reach the exchange, its orders and the charts`() throws {
    let app = TestApp()
    app.host.open(try url("stocks://orders"))
    #expect(app.host.navigationTitle == "Orders")
    try app.host.back()
    #expect(app.host.navigationTitle == "Exchange")
    app.host.open(try url("stocks://chart/ETHUSD"))
    #expect(app.host.navigationTitle == "ETHUSD")
    #expect(app.host.all.contains { $0.attributes[.accessibilityIdentifier] == "chart" })
    app.host.open(try url("stocks://exchange"))
    #expect(app.host.navigationTitle == "Exchange")
    try app.host.tap("Tracker")
    app.host.open(try url("stocks://chart/troad"))
    #expect(app.host.navigationTitle == "Exchange")
  }

  @Test func `Xcode has a preview of each screen`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../PhoneApp/Application/Previews.swift").standardized
    let text = try String(contentsOf: file, encoding: .utf8)
    let call = /#Preview\("[^"]+"\) \{ PreviewScreen\((?:"([^"]+)"|tab: \.(\w+))?\) \}/
    let previews = text.matches(of: call)
    #expect(text.split(separator: "#Preview(").count == previews.count + 1)
    var (links, tabs): (Set<String>, Set<AppTab>) = ([], [])
    for preview in previews {
      guard let link = preview.1.map(String.init) else { continue }
      let router = Router()
      router.open(link: link)
      #expect(!router.isLost, "\(link)")
      #expect(DeepLink.route(link: link) != .notFound)
      links.insert(try #require(URL(string: link)?.host()))
      tabs.insert(router.tab)
    }
    #expect(
      links == [
        "feed", "symbol", "products", "product", "markets", "asset", "chart", "book", "trades",
        "exchange", "orders",
      ])
    #expect(tabs.count == AppScope.full.tabs.count - 1)
    #expect(previews.compactMap(\.2) == ["settings"], "which has no link")
    #expect(previews.contains { $0.1 == nil && $0.2 == nil }, "the choice of markets")
  }

  @Test func `a preview starts on the built-in market, and without a place with the choice`() async
  {
    let session = PreviewScreen.session("stocks://symbol/AAPL", tab: nil)
    #expect(session.choice?.source == .builtIn)
    #expect(session.model?.router.tracker.count == 1)
    let settings = PreviewScreen.session(nil, tab: .settings)
    #expect(settings.model?.router.tab == .settings)
    let host = ViewHost(PreviewScreen())
    #expect(host.texts.contains("Built-in market"))
    await session.model?.end()
    await settings.model?.end()
  }
}
