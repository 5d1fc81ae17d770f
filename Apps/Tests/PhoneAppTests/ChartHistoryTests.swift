import AppState
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing
import VenueCatalogue

@testable import ChartModel
@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct ChartHistoryTests {
  /// 2 March 2026, 14:07:20 UTC.
  private static let start: Int64 = 1_772_460_440_000
  private let past = PlayedPast(about: 1_058_990)

  /// A newly opened chart of an instrument with venue history.
  private func chart(
    _ venue: Venue, _ name: String, answer: PlayedAnswer? = nil
  ) throws -> (TestApp, ChartStore) {
    let app = TestApp(at: Self.start)
    app.feeds.openHistory(of: venue, answer: answer ?? past.answer)
    app.host.size = CGSize(width: 390, height: 260)
    app.feeds.connection(venue, .live)
    try app.feeds.begin(venue, name, of: past)
    app.host.open(try #require(URL(string: "stocks://chart/\(name)")))
    return (app, try #require(app.model.charts.chart(venue, try symbol(name))))
  }

  /// How many outlines have a candle's colour, without the latest price's line.
  private func dashes(_ app: TestApp) throws -> Int {
    try #require(app.host.all.first { $0.kind == .canvas }).drawing.count {
      if case .stroke(let area, let colour, lineWidth: 1) = $0 {
        area.height > 0
          && (colour == "rgb(0.0,0.37,0.14,1.0)" || colour == "rgb(0.62,0.05,0.05,1.0)")
      } else {
        false
      }
    }
  }

  @Test func `LT15 720 committed minutes and the forming one are there within a second`() throws {
    let (app, chart) = try chart(.kraken, "BTC/USD")
    let opened = app.feeds.milliseconds
    var shownAfter: Int64?
    while app.feeds.milliseconds < opened + 1000, shownAfter == nil {
      app.feeds.pass(10)
      let candles = chart.scene.series.candles.candles(of: .minute)
      if candles.count >= 721 { shownAfter = app.feeds.milliseconds - opened }
    }
    #expect(shownAfter != nil)
    #expect(chart.interval == .minute)
    app.feeds.pass(opened + 1000 - app.feeds.milliseconds)
    let candles = chart.scene.series.candles.candles(of: .minute)
    let forming = CandleInterval.minute.start(of: Self.start)
    #expect(candles.count == 721)
    #expect(candles.last?.start == forming)
    #expect(
      candles.dropLast().allSatisfy { $0.source == .venue || $0.proof == .proven },
      "each is the venue's word, or proven to be")
    #expect(
      zip(candles, candles.dropFirst()).allSatisfy { $1.start - $0.start == 60_000 })
    #expect(app.host.complaints.isEmpty)
  }

  @Test func `the form of an alert counts how often the candles crossed its price`() throws {
    let (app, chart) = try chart(.kraken, "BTC/USD")
    app.feeds.pass(1000)
    let series = chart.scene.series
    let level = series.candles[series.candles.count / 2].close
    let count = (0..<series.candles.count).count { series.isCrossed(level, at: $0) }
    #expect(count > 1)
    try app.host.tap("Price alerts")
    let price = FixedDecimal(level, scale: chart.state.priceScale)
    try app.host.type(price.description, into: "Price")
    let expected = "At least \(count) crossings since "
    #expect(app.texts.contains { $0.hasPrefix(expected) }, "\(expected) in \(app.texts)")
    try app.host.type("1", into: "Price")
    #expect(app.texts.contains { $0.hasPrefix("No crossing seen since ") })
  }

  @Test func `LT15 the live trades go on where the venue's candles end`() throws {
    let (app, chart) = try chart(.kraken, "BTC/USD")
    app.feeds.pass(1000)
    try app.feeds.play(180_000, .kraken, "BTC/USD", of: past)
    let candles = chart.scene.series.candles.candles(of: .minute)
    #expect(candles.suffix(5).allSatisfy { $0.missing == 0 })
    #expect(
      zip(candles, candles.dropFirst()).allSatisfy { $1.start - $0.start == 60_000 })
    let latest = past.trade(PlayedPast.number(at: app.feeds.milliseconds)).price
    #expect(
      candles.last.map { FixedDecimal($0.close, scale: chart.state.priceScale) } == latest)
  }

  @Test func `what is still to come of a candle was not seen`() throws {
    let (app, chart) = try chart(.kraken, "BTC/USD")
    let words = ChartWords(
      numbers: NumberTexts(), state: chart.state, locale: Locale(identifier: "en_US"),
      zone: try #require(TimeZone(secondsFromGMT: 0)))
    let day = Candle(
      start: CandleInterval.day.start(of: Self.start), open: Price(units: 1),
      high: Price(units: 1), low: Price(units: 1), close: Price(units: 1), volume: .zero, count: 1)
    let holes = CandleCoverage(missing: 14 * 3_600_000, since: nil)
    func seen(_ milliseconds: Int64) -> Sentence? {
      words.seen(holes, of: day, .day, at: Timestamp(milliseconds: milliseconds))
    }
    #expect(seen(Self.start) == "under 1% seen", "seven minutes of a day")
    #expect(seen(day.start + 2 * 86_400_000) == "41% seen")
    #expect(app.host.complaints.isEmpty)
  }

  @Test(arguments: [(Venue.kraken, "BTC/USD"), (.bitmex, "XBTUSD")])
  func
    `LT15 a day seen for two minutes is dashed, says since when, and nothing speaks of its change`(
      venue: Venue, name: String
    ) throws
  {
    let (app, chart) = try chart(venue, name) { _, _, _ in
      .failure(.unavailable("connection refused"))
    }
    try app.feeds.play(120_000, venue, name, of: past)
    try app.host.choose("1d", in: "Interval")
    app.feeds.pass(1000)
    #expect(chart.scene.shown == .day)
    #expect(try dashes(app) == 1, "one candle, hollow and dashed")
    #expect(chart.candleCoverage?.isWhole == false)
    #expect(app.texts.contains { $0.hasPrefix("since 14:0") }, "\(app.texts)")
    #expect(
      app.texts.contains("The venue's history can't be reached. Retrying shortly."))
    let said = app.texts + app.host.all.compactMap { $0.attributes[.accessibilityValue] }
    #expect(
      !said.contains { $0.contains("hange") || $0.contains("24 h") || $0.contains("%)") },
      "\(said)")
    #expect(!app.texts.contains("1d candle"))
    #expect(app.host.complaints.isEmpty)
  }

  @Test func `the first interval is a minute with history, 5 seconds without`() throws {
    let app = TestApp(at: Self.start)
    for (venue, name, interval) in [
      (Venue.kraken, "BTC/USD", CandleInterval.minute), (.bitmex, "XBTUSD", .minute),
      (.exchange, ExchangeCatalogue.symbol.text, .fiveSeconds),
    ] {
      let chart = try #require(app.model.charts.chart(venue, try symbol(name)))
      #expect(chart.interval == interval, "\(name)")
      #expect(chart.intervals.contains(.fourHours) == (interval == .minute), "\(name)")
      #expect(chart.intervals.contains(.second) && chart.intervals.contains(.day))
    }
  }

  @Test func `four hours can be chosen, and are filled by the venue`() throws {
    let (app, chart) = try chart(.kraken, "BTC/USD")
    app.feeds.pass(1000)
    try app.host.choose("4h", in: "Interval")
    app.feeds.pass(3000)
    #expect(chart.scene.shown == .fourHours)
    #expect(chart.scene.series.candles.candles(of: .fourHours).count > 700)
  }

  @Test func `a loading history is shown in place of a picture`() throws {
    let app = TestApp(at: Self.start)
    app.feeds.openHistory(of: .kraken, delay: 5000, answer: past.answer)
    app.host.open(try #require(URL(string: "stocks://chart/BTC/USD")))
    #expect(app.texts.contains("Loading the venue’s history…"))
    app.feeds.pass(20_000)
    #expect(!app.texts.contains("Loading the venue’s history…"))
  }
}
