public import MarketModel
import MarketStreams
public import PriceAlerts
import VenueCatalogue

/// A user's command for alerts.
public enum AlertCommand: Hashable, Sendable {
  /// Creates an alert at a price as typed: plain digits and a point.
  case add(InstrumentKey, price: String, repeats: Bool)
  case remove(Int)
  case arm(Int)

  /// Applies the command at a time; throws without changes if that is impossible.
  public func apply(
    to book: inout AlertBook, at now: Timestamp
  ) throws(AlertProblem) {
    switch self {
    case .add(let instrument, let price, let repeats):
      guard CandleStream.key(of: instrument) != nil else { throw .noTrades }
      guard let level = FixedDecimal(price),
        level.units > 0 || instrument.venue.descriptor.pricesMayBeNegative
      else { throw .badLevel }
      try book.add(instrument, level: level, repeats: repeats, at: now)
    case .remove(let id): try book.remove(id)
    case .arm(let id): try book.arm(id)
    }
  }
}
