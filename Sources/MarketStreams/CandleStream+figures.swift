// The day's figures of an instrument whose venue states none: added up from its candles about once
// a second, and moved on by each price in between.

import ChartModel
import MarketHistory
import MarketModel
import VenueProtocols

/// Figures made of candles, with what counts as news in them.
struct StreamFigures: Sendable, Equatable {
  /// Nil before the first candle, and where the venue states figures itself.
  private(set) var figures: DayFigures?
  private var direction = Direction.unchanged
  private var changes: UInt64 = 0

  /// Takes figures that were added up anew.
  mutating func replace(_ news: DayFigures) {
    var news = news
    (news.direction, news.changes) = (direction, changes)
    news.at = figures?.at
    figures = news
  }

  /// Takes a price that has just come.
  mutating func move(to price: FixedDecimal, at time: Timestamp, _ freshness: Freshness) {
    guard let last = figures?.last else { return }
    figures?.at = time
    figures?.freshness = freshness
    guard price != last, let new = price.exactly(at: last.scale) else { return }
    direction = new > last ? .up : .down
    changes &+= 1
    if let change = figures?.change {
      figures?.change = FixedDecimal(
        units: change.units &+ new.units &- last.units, scale: change.scale)
    }
    if let high = figures?.high, new > high { figures?.high = new }
    if let low = figures?.low, new < low { figures?.low = new }
    figures?.last = new
    figures?.direction = direction
    figures?.changes = changes
  }
}

extension CandleStream {
  /// Whether the figures of its day come from its candles: its venue states none.
  var makesFigures: Bool { !instrument.venue.descriptor.statesFigures }

  /// The figures by the finest candles that cover a day, else by the minutes there are.
  func addedUp(at now: ClockReading) -> DayFigures {
    let minutes = figures(of: .minute, at: now)
    guard minutes.window != .last24Hours else { return minutes }
    let hours = figures(of: .hour, at: now)
    return hours.window == .last24Hours ? hours : minutes
  }

  private func figures(of interval: CandleInterval, at now: ClockReading) -> DayFigures {
    var figures = DayFigures.from(
      history.candles(of: interval), of: interval, gaps: history.gaps(of: interval),
      symbol: instrument.symbol, scales: (history.priceScale, history.quantityScale),
      at: now.wall, freshness: freshness)
    figures.last = figures.last.map(shown)
    figures.high = figures.high.map(shown)
    figures.low = figures.low.map(shown)
    figures.change = figures.change.map(shown)
    figures.volume = figures.volume?.trimmed
    return figures
  }

  /// A price with the instrument's own decimals where these hold it exactly.
  private func shown(_ price: FixedDecimal) -> FixedDecimal {
    priceDecimals.flatMap { price.exactly(at: $0) } ?? price.trimmed
  }
}
