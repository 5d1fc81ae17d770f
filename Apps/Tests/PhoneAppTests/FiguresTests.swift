import AppState
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing
import VenueCatalogue

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct FiguresTests {
  /// 2 March 2026, 14:07 UTC.
  private static let afternoon: Int64 = 1_772_460_420_000
  private static let bitcoin = "BTC/USD"

  private func market(_ name: String = bitcoin) throws -> TestApp {
    let app = TestApp(at: Self.afternoon)
    app.feeds.connection(.kraken, .live)
    app.host.open(try #require(URL(string: "stocks://book/\(name)")))
    return app
  }

  private func day(
    _ app: TestApp, _ state: FreshnessState = .live,
    _ change: (inout DayFigures) throws -> Void = { _ in }
  ) throws {
    try app.feeds.figures(.kraken, Self.bitcoin, state) {
      $0.last = try decimal("105899.4")
      $0.change = try decimal("-250")
      $0.changePercent = try decimal("-0.24")
      $0.high = try decimal("106500.0")
      $0.low = try decimal("104100.5")
      $0.volume = try decimal("1234.56789012")
      $0.vwap = try decimal("105300.1")
      try change(&$0)
    }
  }

  private func spoken(_ app: TestApp, _ name: String) -> String? {
    app.host.attributes(of: name)?[.accessibilityValue]
  }

  @Test func `the market shows last price, change, range and turnover, each with its window`()
    throws
  {
    let app = try market()
    try day(app)
    for text in [
      "105,899.4", "24 h change", "−250.0 (−0.24%)", "24 h high", "106,500.0", "24 h low",
      "104,100.5", "24 h volume", "1.235k BTC", "24 h VWAP", "105,300.1",
    ] {
      #expect(app.texts.contains(text), "\(text) is not among \(app.texts)")
    }
    #expect(
      app.host.attributes(of: "−250.0 (−0.24%)")?[.foregroundStyle]
        == "rgb(0.62,0.05,0.05,1.0)")
    #expect(spoken(app, "Last price of Bitcoin / US dollar") == "105,899.4, live")
    #expect(spoken(app, "24 h change") == "down −250.0 (−0.24%)")
    #expect(spoken(app, "24 h volume") == "1,234.56789012 BTC", "in full")
    #expect(app.host.complaints.isEmpty)
    app.host.set(\.locale, Locale(identifier: "de_DE"))
    #expect(app.texts.contains("106.500,0"))
  }

  @Test func `less than a day shows its start, in the user's time zone`() throws {
    let app = try market()
    app.host.set(\.timeZone, try #require(TimeZone(secondsFromGMT: 3600)))
    try day(app) {
      $0.window = .since(Timestamp(milliseconds: Self.afternoon - 17 * 60_000))
      $0.changePercent = nil
      $0.vwap = nil
    }
    #expect(app.texts.contains("Change since 14:50"))
    #expect(app.texts.contains("High since 14:50"))
    #expect(app.texts.contains("Volume since 14:50"))
    #expect(!app.texts.contains { $0.contains("24 h") || $0.contains("VWAP") })
  }

  @Test func `what is not known is left out, a price alone is no change`() throws {
    let app = try market()
    #expect(app.texts.contains("–"))
    #expect(!app.texts.contains { $0.contains("hange") })
    try app.feeds.figures(.kraken, Self.bitcoin) { $0.last = try decimal("105899.4") }
    #expect(app.texts.contains("105,899.4"))
    #expect(!app.texts.contains { $0.contains("24 h") })
  }

  @Test func `LT1 invalid figures are dimmed and labelled, with their own age`() throws {
    let app = try market()
    try day(app)
    #expect(!app.texts.contains { $0.hasPrefix("Figures") })
    app.feeds.pass(70_000)
    #expect(app.texts.contains("Figures of 70 s ago"), "their source lives, they are old")
    try day(app)
    app.feeds.pass(5000)
    app.feeds.connection(.kraken, .backingOff)
    app.feeds.pass(1000)
    #expect(app.texts.contains("Figures: Disconnected · 6 s ago"))
    let faded = app.host.all.filter { $0.attributes[.opacity] == "0.5" }
    for text in ["105,899.4", "−250.0 (−0.24%)", "106,500.0"] {
      #expect(faded.contains { $0.texts.contains(text) }, "\(text)")
    }
  }

  @Test func `a price that comes as news flashes, a snapshot does not`() throws {
    let app = try market()
    try day(app)
    try day(app) { $0.last = try decimal("105900.0") }
    #expect(app.host.attributes(of: "105,900.0")?[.background] == "clear")
    try day(app) {
      $0.last = try decimal("105901.0")
      ($0.direction, $0.changes) = (.up, 1)
    }
    #expect(app.host.attributes(of: "105,901.0")?[.background] == "rgb(0.0,0.37,0.14,1.0)@0.25")
    #expect(app.texts.contains("↑"))
  }

  @Test func `invisible figures are not subscribed, an unknown instrument has none`() throws {
    let app = try market()
    let key = MarketKey(.kraken, .figures, try symbol(Self.bitcoin))
    #expect(app.feeds.observers[key] == 1)
    try app.host.choose("Recent Trades", in: "List")
    #expect(app.feeds.observers[key] == 1, "the headline stays")
    try app.host.tap("Tracker")
    #expect(app.feeds.observers[key] == 0)
    let other = try market("NO*PE")
    #expect(!other.texts.contains("–"))
  }

  @Test func `with very large words the figures stay one line that scrolls`() throws {
    let app = try market()
    try day(app)
    app.host.set(\.dynamicTypeSize, .accessibility3)
    #expect(app.texts.contains("24 h high") && app.texts.contains("−250.0 (−0.24%)"))
    app.host.set(\.horizontalSizeClass, .regular)
    #expect(app.texts.contains("24 h high") && app.texts.contains("105,899.4"))
  }

  @Test func `the exchange's figures cover observed time, and its price is shown once`() throws {
    let app = TestApp(at: Self.afternoon + 20_000)
    app.feeds.connection(.exchange, .live)
    try app.host.tap("Exchange")
    try app.feeds.tick(1, last: "100.00")
    for number: UInt64 in 2...200 {
      app.feeds.pass(1000)
      try app.feeds.tick(number, last: number % 2 == 0 ? "101.00" : "100.50", .up)
    }
    #expect(app.texts.contains("High since 14:07"))
    #expect(!app.texts.contains { $0.hasPrefix("Change") || $0.contains("24 h") })
    #expect(!app.texts.contains { $0.hasPrefix("Figures") }, "they are as fresh as the price")
    #expect(app.host.attributes(of: "Last price of \(ExchangeCatalogue.name)") == nil)
  }

  @Test(arguments: [
    ("0", "0", ""), ("999.95", "1.000", "k"), ("1234567.891", "1.235", "M"),
    ("45123456.789", "45.12", "M"), ("999950", "1.000", "M"), ("99996", "100.0", "k"),
    ("1234.56789012", "1.235", "k"), ("0.00012345678", "0.0001235", ""),
    ("9223372036854775807", "9223372", "T"),
  ])
  func `a long quantity is written in four significant digits`(
    quantity: String, number: String, letter: String
  ) throws {
    let short = ShortQuantity(try decimal(quantity))
    #expect(short.letter == letter)
    #expect(short.number == (try decimal(number)), "\(short.number)")
  }

  @Test func `a change has its sign and the price's decimals`() throws {
    let numbers = NumberTexts()
    let locale = Locale(identifier: "en_US")
    func signed(_ change: String, _ price: String?) throws -> String {
      numbers.signed(try decimal(change), like: try price.map(decimal), locale: locale)
    }
    #expect(try signed("250", "105899.4") == "+250.0")
    #expect(try signed("-0.125", "10.00") == "−0.125")
    #expect(try signed("0", "10.00") == "0.00")
    #expect(try signed("12345.5", nil) == "+12,345.5")
    let most = FixedDecimal(units: .min, scale: .whole)
    #expect(!numbers.signed(most, like: nil, locale: locale).isEmpty)
    #expect(numbers.signedPercent(try decimal("-1.5"), locale: locale) == "−1.50%")
  }
}
