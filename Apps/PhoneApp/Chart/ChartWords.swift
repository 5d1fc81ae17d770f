import AppState
import ChartModel
import Foundation
import MarketHistory
import MarketModel
import MarketStreams
import PhoneStores

/// A chart's texts: axis labels, a candle's values, and the sentences for screen readers.
@MainActor struct ChartWords {
  let numbers: NumberTexts
  let state: ChartState
  let locale: Locale
  let zone: TimeZone

  /// Exact, with at least the instrument's decimals.
  func price(_ price: Price) -> String {
    let exact = FixedDecimal(price, scale: state.priceScale).trimmed
    let decimals = state.priceDecimals ?? exact.scale
    let shown = exact.scale < decimals ? exact.exactly(at: decimals) ?? exact : exact
    return numbers.amount(shown, locale: locale)
  }

  /// The price at a point of the picture, in the instrument's decimals: further digits come from
  /// the pixel, not from the market.
  func pointed(_ price: Price) -> String {
    let exact = FixedDecimal(price, scale: state.priceScale)
    guard let decimals = state.priceDecimals, let rounded = exact.rounded(to: decimals) else {
      return self.price(price)
    }
    return numbers.amount(rounded, locale: locale)
  }

  func quantity(_ quantity: Quantity) -> String {
    numbers.amount(FixedDecimal(quantity, scale: state.quantityScale).trimmed, locale: locale)
  }

  /// The time of a grid line or candle: the time of day, or the date for steps of a day or more.
  func grid(_ time: Int64, step: Int64) -> String {
    numbers.time(
      Timestamp(milliseconds: time), NumberTexts.TimePattern(step: step), zone: zone,
      locale: locale)
  }

  /// When a candle began, with its date.
  func moment(_ candle: Candle, _ interval: CandleInterval) -> String {
    let isDate = interval.milliseconds >= CandleInterval.day.milliseconds
    let pattern: NumberTexts.TimePattern =
      isDate ? .date : interval.milliseconds < 60_000 ? .moment : .momentToTheMinute
    return numbers.time(
      Timestamp(milliseconds: candle.start), pattern, zone: zone, locale: locale)
  }

  /// Close against open, with its sign and percentage of the open: "↑ +0.12 (0.26%)".
  func change(_ candle: Candle) -> String {
    let (difference, overflow) =
      candle.close.units.subtractingReportingOverflow(candle.open.units)
    guard !overflow, difference != .min else { return "" }
    let size = price(Price(units: abs(difference)))
    let share = percent(abs(difference), of: candle.open).map { " (\($0))" } ?? ""
    return (difference > 0 ? "↑ +\(size)" : difference < 0 ? "↓ −\(size)" : size) + share
  }

  /// Two decimals, half up; nil where undefined.
  private func percent(_ size: Int64, of whole: Price) -> String? {
    guard whole.units > 0 else { return nil }
    let (doubled, overflow) = size.multipliedReportingOverflow(by: 20_000)
    guard !overflow else { return nil }
    let hundredths = doubled / whole.units / 2 + doubled / whole.units % 2
    return numbers.amount(
      FixedDecimal(units: hundredths, scale: Scale(clamping: 2)), locale: locale) + "%"
  }

  /// How much of a candle's span was observed: "since 09:05", or "62% seen" where more than its
  /// beginning is missing; nil for a whole one.
  ///
  /// The future part of the latest candle counts as not observed.
  func seen(
    _ coverage: CandleCoverage, of candle: Candle, _ interval: CandleInterval, at now: Timestamp
  ) -> Sentence? {
    guard !coverage.isWhole else { return nil }
    if let since = coverage.since {
      let isLong = interval.milliseconds > CandleInterval.hour.milliseconds
      return "since \(grid(since, step: isLong ? 60_000 : 1000))"
    }
    let passed = min(interval.milliseconds, max(0, now.milliseconds - candle.start))
    let share = 100 * max(0, passed - coverage.missing) / interval.milliseconds
    return share < 1 ? "under 1% seen" : "\(share)% seen"
  }

  /// A candle's source, in the page's words.
  func source(_ candle: Candle) -> Sentence {
    switch (candle.proof, candle.source) {
    case (.proven, _): "✓ proven from trades"
    case (.contradicted, _): "≠ venue"
    case (.none, .venue): "venue"
    case (.none, .trades): "from trades"
    case (.none, .seen): "seen live"
    }
  }

  /// A candle as one sentence.
  ///
  /// A partial candle has no direction: its first price is not the open.
  func sentence(
    _ candle: Candle, _ interval: CandleInterval, _ coverage: CandleCoverage, at now: Timestamp
  ) -> Sentence {
    let time = grid(candle.start, step: interval.milliseconds)
    let part = seen(coverage, of: candle, interval, at: now)
    let start: Sentence =
      part.map { coverage.since == nil ? "\(time), \($0)" : "\(time), seen \($0)" } ?? "\(time)"
    let spoken: Sentence =
      switch candle.proof {
      case .none: source(candle)
      case .proven: "proven from trades"
      case .contradicted: "not what the venue says"
      }
    guard candle.hasTrades else {
      return "\(start): no trade, price \(price(candle.close)), \(spoken)"
    }
    let (open, high) = (price(candle.open), price(candle.high))
    let (low, close) = (price(candle.low), price(candle.close))
    let prices: Sentence = "open \(open), high \(high), low \(low), close \(close)"
    let direction = coverage.isWhole ? [candle.direction.word] : []
    let volume: [Sentence] =
      candle.volume > .zero ? ["volume \(quantity(candle.volume))"] : []
    let rest = Sentence(joining: direction + [prices] + volume + [spoken], by: ", ")
    return "\(start): \(rest)"
  }

  /// The text in place of a picture.
  var nothing: Sentence {
    state.candles.history == .loading
      ? "Loading the venue’s history…"
      : "No prices yet. The chart shows what arrives from now on."
  }

  /// Why history is incomplete; nil when it isn't.
  var problem: Sentence? {
    if case .failed(let failure) = state.candles.history {
      failure.userMessage
    } else {
      nil
    }
  }

  /// The chart as one sentence.
  func summary(_ scene: ChartScene, named name: String) -> Sentence {
    let latest: Sentence =
      scene.series.latestPrice.map { "latest \(price($0))" } ?? "nothing yet"
    let interval = scene.shown.words
    return scene.style == .line
      ? "Line chart of \(name), \(interval) each, \(latest)"
      : "Candle chart of \(name), \(interval) each, \(latest)"
  }
}

extension Candle {
  /// The direction of close against open.
  var direction: Direction { close > open ? .up : close < open ? .down : .unchanged }
}

extension CandleInterval {
  /// Short, for a control: "5s".
  var short: Sentence {
    switch self {
    case .second: "1s"
    case .fiveSeconds: "5s"
    case .fifteenSeconds: "15s"
    case .minute: "1m"
    case .fiveMinutes: "5m"
    case .fifteenMinutes: "15m"
    case .hour: "1h"
    case .fourHours: "4h"
    case .day: "1d"
    case .week: "1w"
    }
  }

  /// In words: "5 seconds".
  var words: Sentence {
    switch self {
    case .second: "1 second"
    case .fiveSeconds: "5 seconds"
    case .fifteenSeconds: "15 seconds"
    case .minute: "1 minute"
    case .fiveMinutes: "5 minutes"
    case .fifteenMinutes: "15 minutes"
    case .hour: "1 hour"
    case .fourHours: "4 hours"
    case .day: "1 day"
    case .week: "1 week"
    }
  }
}
