import AppState
import ChartModel
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct ChartTests {
  private func exchange(ticks: Int = 0) throws -> TestApp {
    let app = TestApp()
    app.host.size = CGSize(width: 390, height: 260)
    try app.host.tap("Exchange")
    for number in 0..<ticks {
      try app.feeds.tick(UInt64(number) + 1, last: "10\(number % 3).00")
      app.feeds.pass(1000)
    }
    return app
  }

  private func drawing(_ app: TestApp) throws -> [DrawCommand] {
    try #require(app.host.all.first { $0.kind == .canvas }).drawing
  }

  private func texts(_ app: TestApp) throws -> [String] {
    try drawing(app).compactMap { if case .text(let text, _) = $0 { text } else { nil } }
  }

  /// The right edge of what is drawn in a colour.
  private func edge(_ app: TestApp, _ colour: String) throws -> CGFloat? {
    try drawing(app).compactMap { command -> CGFloat? in
      if case .fill(let area, colour) = command { area.maxX } else { nil }
    }.max()
  }

  private func pills(_ app: TestApp) throws -> [CGRect] {
    try drawing(app).compactMap {
      if case .fill(let area, "rgb(0.05,0.3,0.7,1.0)") = $0 { area } else { nil }
    }
  }

  private var rise: String { "rgb(0.0,0.37,0.14,1.0)" }

  private func spoken(_ app: TestApp) throws -> (label: String?, value: String?) {
    let node = try #require(
      app.host.all.first { $0.attributes[.accessibilityIdentifier] == "chart" })
    let within =
      node.all
      + app.host.all.filter { above in
        above.all.contains { $0.attributes[.accessibilityIdentifier] == "chart" }
      }
    return (
      within.lazy.compactMap { $0.attributes[.accessibilityLabel] }.last,
      within.lazy.compactMap { $0.attributes[.accessibilityValue] }.last
    )
  }

  @Test func `OB2 Chart, Order Book and Recent Trades are the tabs, the chart records on`() throws {
    let app = TestApp()
    try app.host.tap("Market")
    let tape = MarketKey(.bitmex, .trades, try symbol("XBTUSD"))
    #expect(app.feeds.observers[tape] == 1, "the headline adds up the day's figures from them")
    let picker = try #require(app.host.all.first { $0.label == "List" && $0.kind == .picker })
    #expect(picker.texts == ["Chart", "Order Book", "Recent Trades"])
    try app.host.choose("Chart", in: "List")
    #expect(app.texts.contains("Loading the venue’s history…"))
    try app.host.tap("Tracker")
    let trade = Trade(
      price: Price(units: 651_235), size: Quantity(units: 100), side: .buy,
      time: Timestamp(milliseconds: 1000), arrival: 1)
    app.feeds.happen(
      tape, .trade(trade, priceScale: Scale(clamping: 1), quantityScale: .whole))
    try app.host.tap("Market")
    #expect(
      try spoken(app).label
        == "Candle chart of Bitcoin / US dollar, 1 minute each, latest 65,123.5")
  }

  @Test func `EX2 each tick changes the picture, and the live price is written`() throws {
    let app = try exchange(ticks: 1)
    #expect(try texts(app).contains("100.00"))
    try app.feeds.tick(2, last: "107.50")
    #expect(try texts(app).contains("107.50"))
    #expect(try edge(app, rise) != nil, "a candle that closed at or above its open")
    #expect(
      try spoken(app).value
        == "00:00:00: up, open 100.00, high 107.50, low 100.00, close 107.50, seen live")
    #expect(app.texts.contains("seen live") && app.texts.contains("5s candle"))
    #expect(app.host.complaints.isEmpty)
  }

  @Test func `a partial candle shows its start, and has no change`() throws {
    let app = try exchange(ticks: 12)
    #expect(app.texts.contains { $0.hasPrefix("↑") || $0.hasPrefix("↓") })
    let chart = try #require(app.model.exchangeChart)
    chart.interval = .week
    #expect(app.texts.contains { $0.hasPrefix("since ") })
    #expect(!app.texts.contains { $0.hasPrefix("↑") || $0.hasPrefix("↓") })
    #expect(!app.texts.contains("1w candle"))
    let sentence = try #require(try spoken(app).value)
    #expect(sentence.contains("seen since") && !sentence.contains("up, "))
  }

  @Test func `EX2 a drag shows earlier times and stops following, Back to live follows again`()
    throws
  {
    let app = try exchange(ticks: 120)
    let live = try drawing(app)
    #expect(throws: ViewHost.Failure.self) { try app.host.tap("Back to live") }
    try app.host.drag("chart", through: way(by: 80))
    let moved = try drawing(app)
    #expect(moved != live)
    try app.feeds.tick(200, last: "101.00")
    app.feeds.pass(3000)
    #expect(try spoken(app).label?.hasSuffix("latest 101.00") == true)
    let past = try drawing(app)
    #expect(app.model.exchangeChart?.scene.viewport.followsLive == false)
    try app.host.tap("Back to live")
    #expect(try drawing(app) != past, "the newest candle is in view again")
    #expect(app.model.exchangeChart?.scene.viewport.followsLive == true)
    #expect(throws: ViewHost.Failure.self) { try app.host.tap("Back to live") }
  }

  @Test func `EX2 two fingers zoom, an interval and a line can be chosen`() throws {
    let app = try exchange(ticks: 60)
    let before = try drawing(app)
    try app.host.magnify("chart", by: [1.5, 2], at: CGPoint(x: 150, y: 80))
    #expect(try drawing(app) != before)
    try app.host.choose("1s", in: "Interval")
    #expect(try spoken(app).label?.contains("1 second each") == true)
    #expect(
      try !drawing(app).contains {
        if case .stroke(_, _, lineWidth: 1.75) = $0 { true } else { false }
      })
    try app.host.choose("Line", in: "Style")
    #expect(try spoken(app).label?.hasPrefix("Line chart") == true)
    #expect(
      try drawing(app).contains {
        if case .stroke(_, _, lineWidth: 1.75) = $0 { true } else { false }
      })
  }

  @Test func `EX2 a tap shows the values under the finger, another takes them away`() throws {
    let app = try exchange(ticks: 30)
    #expect(try pills(app).isEmpty)
    try app.host.tap("chart", at: CGPoint(x: 300, y: 100))
    #expect(try pills(app).count == 2, "price and time of the crosshair")
    #expect(
      try texts(app).suffix(2).first?.wholeMatch(of: #/10\d\.\d\d/#) != nil,
      "the price under the finger has the digits of a price, not of a pixel")
    try app.host.tap("chart", at: CGPoint(x: 300, y: 100))
    #expect(try pills(app).isEmpty)
  }

  @Test func `EX2 a finger that stays leads the crosshair, lifting it leaves it there`() throws {
    let app = try exchange(ticks: 60)
    _ = try drawing(app)
    let live = app.model.exchangeChart?.scene.viewport
    let latest = try spoken(app).value
    try app.host.press(
      "chart", at: CGPoint(x: 250, y: 100), through: [CGPoint(x: 240, y: 90)], isLifted: false)
    #expect(try pills(app).count == 2, "price and time of the crosshair")
    let under = try spoken(app).value
    #expect(under != latest)
    try app.host.press(
      "chart", at: CGPoint(x: 250, y: 100),
      through: [CGPoint(x: 240, y: 90), CGPoint(x: 290, y: 60)])
    #expect(try pills(app).count == 2, "it stays when the finger is gone")
    #expect(try spoken(app).value != under)
    #expect(app.model.exchangeChart?.scene.viewport == live, "the chart has not moved")
    try app.host.tap("chart", at: CGPoint(x: 40, y: 40))
    #expect(try pills(app).isEmpty, "the next tap takes it away")
  }

  @Test func `EX2 an iPad's pointer leads the crosshair and takes it away`() throws {
    let app = try exchange(ticks: 60)
    _ = try drawing(app)
    let latest = try spoken(app).value
    try app.host.hover("chart", at: CGPoint(x: 240, y: 90))
    #expect(try pills(app).count == 2, "price and time of the crosshair")
    let under = try spoken(app).value
    #expect(under != latest)
    try app.host.hover("chart", at: CGPoint(x: 290, y: 60))
    #expect(try spoken(app).value != under)
    try app.host.hover("chart", at: nil)
    #expect(try pills(app).isEmpty)
  }

  @Test func `EX2 the crosshair's labels cover none of another's words`() throws {
    let app = try exchange(ticks: 60)
    var hidden = 0
    let plain = try texts(app).count
    for x in stride(from: 0, through: 330, by: 3) {
      try app.host.press("chart", at: CGPoint(x: x, y: 90), through: [CGPoint(x: x, y: x / 2)])
      let pills = try pills(app)
      #expect(pills.count == 2)
      let words = try drawing(app).compactMap { command -> (text: String, place: CGPoint)? in
        if case .text(let text, let place) = command { (text, place) } else { nil }
      }
      hidden += plain + 2 - words.count
      #expect(words.contains { $0.text == "102.00" }, "the live price makes way, but stays")
      // The last two are the crosshair's own.
      for word in words.dropLast(2) {
        let half = CGFloat(word.text.count) * 3.5
        let area = CGRect(x: word.place.x - half, y: word.place.y - 6, width: 2 * half, height: 12)
        for pill in pills {
          #expect(pill.intersection(area).isEmpty, "\(word) below \(pill) at \(x)")
        }
      }
    }
    #expect(hidden > 0, "the crosshair came by none of them")
  }

  @Test func `EX2 the legend shows date, values, and the change in percent`() throws {
    let app = try exchange(ticks: 60)
    try app.feeds.tick(61, last: "100.00")
    try app.feeds.tick(62, last: "98.76")
    #expect(app.texts.contains("↓ −1.24 (1.24%)"))
    #expect(app.texts.contains("O 100.00 H 100.00 L 98.76 C 98.76"))
    // How a locale joins date and time differs between systems.
    #expect(app.texts.contains { $0.hasPrefix("Jan 1") && $0.hasSuffix("00:01:00") })
    try app.host.choose("1m", in: "Interval")
    // The legend follows the picture, which is drawn on demand.
    _ = try drawing(app)
    try app.feeds.tick(63, last: "100.00")
    #expect(app.texts.contains { $0.hasPrefix("Jan 1") && $0.hasSuffix("00:01") })
    #expect(app.texts.contains("0.00 (0.00%)"))
    try app.feeds.tick(64, last: "100.125")
    #expect(app.texts.contains("↑ +0.125 (0.13%)"), "half up")
  }

  @Test func `LT1 freshness is shown once, and twice when quote and chart differ`() throws {
    let app = try exchange(ticks: 3)
    func lines() -> [String] {
      app.host.all.filter { $0.attributes[.accessibilityIdentifier] == "freshness" }.map(\.label)
    }
    #expect(lines() == ["Live · simulated"])
    let quote = Freshness(
      state: .live, origin: .venue, confirmedAt: ClockReading(milliseconds: 5000))
    #expect(quote.saysTheSame(as: quote))
    let later = Freshness(
      state: .live, origin: .venue, confirmedAt: ClockReading(milliseconds: 9000))
    #expect(quote.saysTheSame(as: later), "live prices are said without an age")
    #expect(!quote.saysTheSame(as: quote.changed(to: .stale)))
    #expect(!quote.changed(to: .stale).saysTheSame(as: later.changed(to: .stale)), "ages differ")
    #expect(!quote.saysTheSame(as: .waiting(.venue)))
    #expect(
      !quote.saysTheSame(as: Freshness(state: .live, origin: .simulated, confirmedAt: nil)))
    app.feeds.pass(9000)
    app.feeds.connection(.exchange, .backingOff)
    app.feeds.pass(3000)
    #expect(lines().count == 1)
    try app.host.tap("Market")
    try app.host.choose("Chart", in: "List")
    #expect(lines() == ["Waiting for prices"], "alone it says its own")
  }

  @Test func `EX2 the crosshair stays on the plot wherever the finger goes`() throws {
    let app = try exchange(ticks: 30)
    let chart = try #require(app.model.exchangeChart)
    _ = try drawing(app)
    let (width, height) = (chart.scene.viewport.width, chart.scene.viewport.height)
    for (finger, place) in [
      (CGPoint(x: -50, y: -9), CGPoint(x: 0, y: 0)),
      (CGPoint(x: 9999, y: 9999), CGPoint(x: width, y: height)),
    ] {
      try app.host.press("chart", at: CGPoint(x: 100, y: 100), through: [finger])
      #expect(chart.pointer == .point(place))
    }
  }

  @Test func `EX2 a plain drag moves the chart and leads no crosshair, two fingers take it away`()
    throws
  {
    let app = try exchange(ticks: 60)
    let chart = try #require(app.model.exchangeChart)
    try app.host.drag("chart", through: way(by: 80))
    #expect(chart.pointer == nil)
    #expect(!chart.scene.viewport.followsLive)
    try app.host.press("chart", at: CGPoint(x: 100, y: 80), through: [CGPoint(x: 101, y: 80)])
    #expect(chart.pointer != nil)
    try app.host.magnify("chart", by: [1.2], at: CGPoint(x: 100, y: 80))
    #expect(chart.pointer == nil)
  }

  private func rightTime(_ app: TestApp) throws -> Double {
    try #require(app.model.exchangeChart).scene.viewport.rightTime
  }

  /// A drag from left to right, in a touch screen's steps.
  private func way(from start: CGFloat = 100, by width: CGFloat, down height: CGFloat = 0)
    -> [CGPoint]
  {
    [0, 0.1, 0.5, 1].map { CGPoint(x: start + $0 * width, y: 80 + $0 * height) }
  }

  @Test func `EX2 a drag that the system takes away leaves nothing for the next`() throws {
    let app = try exchange(ticks: 120)
    try app.host.choose("1s", in: "Interval")
    _ = try drawing(app)
    try app.host.drag("chart", through: way(by: 300))
    let first = try rightTime(app)
    let pixels = try #require(app.model.exchangeChart).scene.viewport.millisecondsPerPixel
    try app.host.drag("chart", through: way(by: -100), isCancelled: true)
    let second = try rightTime(app)
    try app.host.drag("chart", through: way(by: -80))
    #expect(abs(try rightTime(app) - second - 72 * pixels) < 1, "from its own first step on")
    #expect(abs(second - first - 90 * pixels) < 1)
  }

  @Test func `EX2 a finger that goes up or down scrolls what the chart lies in, not the chart`()
    throws
  {
    let app = try exchange(ticks: 60)
    _ = try drawing(app)
    try app.host.drag("chart", through: way(by: 30, down: 90))
    #expect(app.model.exchangeChart?.scene.viewport.followsLive == true)
    let shapes = app.host.all.filter { $0.attributes[.other("gesture")] != nil }
      .compactMap { $0.attributes[.other("gesture")] }
    #expect(Set(shapes) == ["simultaneous"], "none keeps a scroller from scrolling")
  }

  @Test func `EX2 a screen reader walks the candles`() throws {
    let app = try exchange(ticks: 12)
    #expect(try spoken(app).value?.hasPrefix("00:00:10: ") == true)
    let name = try #require(try spoken(app).label)
    try app.host.step(name, up: false)
    #expect(try spoken(app).value?.hasPrefix("00:00:10: ") == true, "first the latest")
    try app.host.step(name, up: false)
    #expect(
      try spoken(app).value
        == "00:00:05: down, open 102.00, high 102.00, low 100.00, close 100.00, seen live")
    try app.host.step(name, up: true)
    #expect(try spoken(app).value?.hasPrefix("00:00:10: ") == true)
  }

  @Test func `EX2 LT1 an interruption is shaded and the price is grey, never bridged`() throws {
    let app = try exchange(ticks: 20)
    let gap = "rgb(0.36,0.38,0.42,1.0)@0.18"
    #expect(try edge(app, gap) == nil)
    try app.feeds.exchange(is: .stale)
    app.feeds.pass(10_000)
    #expect(try edge(app, gap) != nil)
    #expect(app.texts.contains { $0.hasPrefix("Stale") })
    #expect(
      try drawing(app).contains {
        if case .stroke(_, "rgb(0.36,0.38,0.42,1.0)", lineWidth: 1) = $0 { true } else { false }
      })
    try app.feeds.tick(21, last: "101.00")
    #expect(try edge(app, gap) != nil, "the gap stays where it was")
  }
}
