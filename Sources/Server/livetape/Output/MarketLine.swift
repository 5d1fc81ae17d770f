import AppState
import MarketModel
import VenueCatalogue
import WireJSON

/// One of several instruments that `watch` follows, as a table line or JSON object; unknown values
/// are nil, never 0.
struct MarketLine: Equatable {
  let instrument: InstrumentKey
  var freshness: Freshness = .waiting(.venue)
  var last: FixedDecimal?
  var figures: DayFigures?
  var changePercent: FixedDecimal?
  /// When the values were valid.
  var confirmed: ClockReading?
  /// Whether the venue has it, as far as known.
  var isListed = true
  private var isQuoted = false

  init(instrument: InstrumentKey) { self.instrument = instrument }

  mutating func take(_ quote: QuoteView) {
    guard quote.price != nil || last == nil else { return }
    isQuoted = quote.price != nil
    let decimals = instrument.venue.descriptor.priceDecimals
    last = quote.price.map { price in decimals.map { price.shown(at: $0) } ?? price }
    (freshness, confirmed) = (quote.freshness, quote.freshness.confirmedAt)
  }

  /// Applies the latest trade's price, if the venue sends no quotes.
  mutating func take(_ tape: TapeView) {
    guard !isQuoted, let trade = tape.trades.first else { return }
    last = tape.shown(trade.price)
    (freshness, confirmed) = (tape.freshness, tape.freshness.confirmedAt)
  }

  mutating func take(_ state: FiguresState) {
    (figures, changePercent) = (
      state.figures?.last == nil ? nil : state.figures, state.changePercent
    )
    (last, freshness, confirmed) = (state.figures?.last, state.freshness, state.valueTime)
  }

  /// The line's cells, the same number for each line.
  func cells(at now: ClockReading) -> [String] {
    let window =
      figures.map { WindowText.words($0.window, utcOffset: 0, at: now.wall).description } ?? ""
    let change = changePercent.map { "\($0.units > 0 ? "+" : "")\($0) % \(window)" }
    return [
      "\(instrument.venue):\(instrument.symbol.text)", text(last), change ?? "–",
      text(figures?.high), text(figures?.low), text(figures?.volume), age(at: now),
    ]
  }

  /// The state, the value's age, and its origin unless it is the venue.
  private func age(at now: ClockReading) -> String {
    if !isListed { return "not listed" }
    var words = [freshness.state.rawValue]
    if freshness.state != .waiting, let confirmed {
      words.append(AgeText.since(confirmed, at: now).description)
    }
    if freshness.origin == .simulated { words.append("simulated") }
    if freshness.origin == .custom { words.append("custom address") }
    return words.joined(separator: " ")
  }

  private func text(_ value: FixedDecimal?) -> String { value?.description ?? "–" }

  var json: [UInt8] {
    JSONWriter.object(capacity: 512) { writer in
      writer.member("venue", instrument.venue.rawValue)
      writer.member("symbol", instrument.symbol.text)
      writer.member("listed", isListed)
      writer.member("freshness", freshness.state.rawValue)
      writer.member("origin", freshness.origin.rawValue)
      write("last", last, to: &writer)
      write("change", figures?.change, to: &writer)
      write("changePercent", changePercent, to: &writer)
      writer.key("window")
      switch figures?.window {
      case .last24Hours: writer.string("24h")
      case .since(let start): writer.integer(Int(start.milliseconds))
      case nil: writer.null()
      }
      write("high", figures?.high, to: &writer)
      write("low", figures?.low, to: &writer)
      write("volume", figures?.volume, to: &writer)
      write("vwap", figures?.vwap, to: &writer)
      writer.key("at")
      if let confirmed {
        writer.integer(Int(confirmed.wall.milliseconds))
      } else {
        writer.null()
      }
    }
  }

  private func write(_ key: StaticString, _ value: FixedDecimal?, to writer: inout JSONWriter) {
    writer.key(key)
    writer.optional(value)
  }
}
