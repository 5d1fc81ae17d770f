import AppState
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing
import VenueCatalogue
import VenueProtocols

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct TroubleTests {
  enum Place: String, CaseIterable, Sendable {
    case feed
    case details = "symbol/AAPL"
    case book = "book/ETHUSD"
    case trades = "trades/ETHUSD"
    case chart = "chart/ETHUSD"
    case krakenBook = "book/BTC/USD"
    case exchange
    case product = "product/sb26493"

    var venue: Venue {
      switch self {
      case .feed, .details: .echo
      case .book, .trades, .chart: .bitmex
      case .krakenBook: .kraken
      case .exchange: .exchange
      case .product: .bux
      }
    }
  }

  /// A failure before any data has arrived.
  enum Trouble: CaseIterable, Sendable {
    case noAddress, noNetwork, neverAnswers, neverGreets, refused, stopped, silent, restarting

    @MainActor func happen(_ venue: Venue, _ feeds: TestFeeds) {
      let name = venue.displayName
      switch self {
      case .noAddress: break
      case .noNetwork:
        feeds.connection(
          venue, .backingOff, reason: "\(name) can't be reached. Check the network.",
          nextAttemptIn: 20_000)
      case .neverAnswers: feeds.connection(venue, .connecting)
      case .neverGreets:
        feeds.connection(venue, .connecting)
        feeds.pass(1000)
        feeds.connection(venue, .awaitingReady)
      case .refused:
        feeds.connection(
          venue, .refused, reason: "\(name) does not accept the access token. Change it to connect."
        )
      case .stopped: feeds.connection(venue, .stopped)
      case .silent: feeds.connection(venue, .live)
      case .restarting:
        feeds.connection(venue, .connecting, reason: "\(name) is restarting.")
      }
    }

    /// The sentence after ten seconds; "V" is the venue.
    var sentence: String {
      switch self {
      case .noAddress: "V has no address in this app"
      case .noNetwork: "V can't be reached. Check the network. Next try in 10 s."
      case .neverAnswers: "Connecting to V: no answer for 10 s."
      case .neverGreets: "Connecting to V: no answer for 11 s."
      case .refused: "V does not accept the access token. Change it to connect."
      case .stopped: "V is stopped."
      case .silent: "Connected to V, but nothing has come for this screen in 10 s."
      case .restarting: "V is restarting. Trying again…"
      }
    }

    /// The button, and its request to the connection; nil while an attempt is in progress or when
    /// nothing here can help.
    var remedy: (button: String, asks: [String])? {
      switch self {
      case .noNetwork, .refused: ("Retry", ["retry"])
      case .stopped: ("Connect again", ["start"])
      case .silent: ("Reconnect", ["stop", "start"])
      case .noAddress, .neverAnswers, .neverGreets, .restarting: nil
      }
    }
  }

  private func notices(_ app: TestApp) -> [String] {
    app.host.all.filter { $0.attributes[.accessibilityIdentifier] == "notice" }.map(\.label)
  }

  private func open(_ place: Place) throws -> TestApp {
    let app = TestApp()
    app.feeds.answer(
      try symbol("sb26493"),
      .success(
        Product(
          identifier: try symbol("sb26493"), symbol: "GERMANY30", displayName: "Germany 30",
          currency: "EUR", decimals: Scale(clamping: 2), currentPrice: try decimal("150.00"),
          closingPrice: try decimal("100.00"), isMarketOpen: true)))
    app.host.open(try #require(URL(string: "stocks://\(place.rawValue)")))
    return app
  }

  private nonisolated static let cases: [(Place, Trouble)] = Place.allCases.flatMap { place in
    Trouble.allCases.map { (place, $0) }
  }

  @Test(arguments: cases)
  func `UX each screen shows its problem in one sentence and offers a remedy`(
    place: Place, trouble: Trouble
  ) async throws {
    let app = try open(place)
    if place == .product { await app.host.settle { app.texts.contains("GERMANY30") } }
    trouble.happen(place.venue, app.feeds)
    app.feeds.pass(10_000)
    // A product has the price of its response, so it shows something even with a silent feed.
    if place == .product, trouble == .silent {
      #expect(notices(app).isEmpty)
      #expect(app.texts.contains("€150.00"))
      return
    }
    let words = notices(app)
    #expect(words.count == 1, "once, not on every part of the screen")
    if trouble == .noAddress, place.venue == .bitmex {
      #expect(words.first?.hasPrefix("BitMEX closed on 23 September 2026.") == true)
    } else {
      let sentence = trouble.sentence.replacing("V", with: place.venue.displayName)
      #expect(words.first?.hasPrefix(sentence) == true, "\(words)")
    }
    #expect(!app.host.all.contains { $0.kind == .progress }, "no bare wheel")
    let buttons = ["Retry", "Reconnect", "Connect again"].filter { name in
      app.host.all.contains { $0.kind == .button && $0.label == name }
    }
    #expect(buttons == (trouble.remedy.map { [$0.button] } ?? []))
    guard let remedy = trouble.remedy else { return }
    let before = app.feeds.asked.count
    try app.host.tap(remedy.button)
    #expect(
      Array(app.feeds.asked.dropFirst(before)) == remedy.asks.map { "\($0) \(place.venue)" })
  }

  @Test(arguments: Place.allCases)
  func `UX earlier data stays in an outage, and after two seconds the reason is shown`(place: Place)
    async throws
  {
    let app = try open(place)
    if place == .product { await app.host.settle { app.texts.contains("GERMANY30") } }
    app.feeds.connection(place.venue, .live)
    app.feeds.pass(1000)
    app.feeds.connection(
      place.venue, .backingOff, reason: "The connection was cut.", nextAttemptIn: 9000)
    app.feeds.pass(1000)
    #expect(notices(app).isEmpty, "a short one is nobody's business")
    app.feeds.pass(2000)
    #expect(notices(app) == ["The connection was cut. Next try in 6 s."])
    app.feeds.connection(place.venue, .live)
    #expect(notices(app).isEmpty)
  }

  @Test func `UX the exchange without an address shows where to set it`() throws {
    let app = try open(.exchange)
    app.feeds.pass(3000)
    #expect(
      notices(app).first?.hasSuffix("Enter it in Settings, or choose the built-in market there.")
        == true)
  }

  @Test(arguments: [
    "AUTH_001", "AUTH_007", "AUTH_008", "AUTH_009", "AUTH_014", "RTF_002", "HTTP_401", "HTTP_403",
  ])
  func `PD7 PD9 a token that is missing, expired or refused leads to the settings and back`(
    code: String
  ) async throws {
    let failure =
      BuxErrorResponse.known(code)
      ?? ProductFailure(code: code, userMessage: "BUX did not accept it.", canRetry: false)
    let app = TestApp()
    app.feeds.answer(try symbol("sb26493"), .failure(failure), .failure(failure))
    app.host.open(try #require(URL(string: "stocks://product/sb26493")))
    await app.host.settle { app.texts.first == "No product" }
    #expect(
      app.texts.filter { $0 != "" } == [
        "No product", failure.userMessage.description, "Open settings",
      ],
      "the same token would be refused again")
    try app.host.tap("Open settings")
    #expect(app.host.navigationTitle == "Settings")
    try app.host.type("another.token", into: "Access token")
    try app.host.tap("Save token")
    try app.host.tap("Products")
    await app.host.settle { app.feeds.asked.count == 2 }
    #expect(app.feeds.asked.count == 2, "another token is tried at once")
    try app.host.tap("Tracker")
    try app.host.tap("Products")
    #expect(app.feeds.asked.count == 2, "the same token is not")
  }

  @Test func `PD8 a venue that never answers: a count of seconds, then the reason and Retry`()
    async throws
  {
    let app = TestApp()
    app.feeds.isProductSilent = true
    app.host.open(try #require(URL(string: "stocks://product/sb26493")))
    app.feeds.connection(.bux, .live)
    #expect(app.texts.contains("Loading…"))
    app.feeds.pass(4000)
    #expect(app.texts.contains("BUX has not answered for 4 s. After 30 s the wait ends."))
    app.feeds.pass(26_250)
    #expect(
      app.texts.prefix(3) == ["No product", "The venue does not answer. Trying again…", "Retry"])
    try app.host.tap("Retry")
    #expect(app.texts.contains("Loading…"))
    app.feeds.pass(1000)
    #expect(!app.texts.contains { $0.hasPrefix("BUX has not answered") }, "the wait starts again")
  }

  @Test func `PD7 a product that does not exist leads back to the list`() async throws {
    let app = TestApp()
    app.feeds.answer(
      try symbol("sb1"),
      .failure(
        ProductFailure(
          code: "NOT_FOUND", userMessage: "BUX knows no such product.", canRetry: false)))
    app.host.open(try #require(URL(string: "stocks://product/sb1")))
    await app.host.settle { app.texts.first == "No product" }
    #expect(app.texts == ["No product", "BUX knows no such product.", "Choose another product"])
    try app.host.tap("Choose another product")
    #expect(app.host.navigationTitle == "Products")
  }

  @Test(arguments: [
    "stocks://symbol", "stocks://symbol/%20", "stocks://symbol/a%00b",
    "stocks://product/", "stocks://product/%F0%9F%92%A5", "stocks://product/no%20spaces",
    "stocks://product/" + String(repeating: "9", count: 500), "stocks://book/",
    "stocks://chart/" + String(repeating: "X", count: 500), "stocks://exchange/TROAD/more",
    "http://symbol/AAPL", "stocks://user@symbol/AAPL/..",
  ])
  func `PT7 a malformed link is reported as invalid, and nothing is requested`(
    link: String
  ) throws {
    let app = TestApp()
    try app.host.tap("Settings")
    app.host.open(try #require(URL(string: link)))
    #expect(app.texts.contains("This link leads nowhere in this app."))
    #expect(app.host.navigationTitle == "Settings")
    #expect(app.feeds.asked.isEmpty)
  }

  @Test func `EX6 a ledger that could not be opened is opened by Retry, without a restart`()
    async throws
  {
    let folder = LedgerFolder()
    // A file in place of the folder.
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path))
    let app = TestApp(folder: folder.path)
    app.host.open(try #require(URL(string: "stocks://orders")))
    await app.host.settle { app.texts.contains { $0.hasPrefix("Orders are refused: ") } }
    #expect(app.texts.contains { $0.hasPrefix("Orders are refused: ") })
    try app.host.tap("Retry the storage")
    await app.host.settle { app.texts.contains { $0.hasPrefix("Orders are refused: ") } }
    try FileManager.default.removeItem(atPath: folder.path)
    try app.host.tap("Retry the storage")
    await app.host.settle { app.model.trading.orders.failure == nil }
    #expect(app.model.trading.orders.failure == nil)
    #expect(app.texts.contains { $0.hasPrefix("Ledger intact") })
    try app.host.back()
    #expect(!app.texts.contains { $0.hasPrefix("Orders are refused: ") })
  }
}
