public import MarketModel
import MarketStreams
public import PriceAlerts
import VenueCatalogue

/// A user's command for alerts.
public enum AlertCommand: Hashable, Sendable {
  /// Creates an alert at a price as typed: plain digits and a point.
  case add(InstrumentKey, price: String, repeats: Bool, cooldownSeconds: Int64 = 0)
  /// Moves an alert to a price as typed, or changes whether and how often it repeats.
  case edit(Int, price: String, repeats: Bool, cooldownSeconds: Int64 = 0)
  case remove(Int)
  case arm(Int)

  /// Applies the command at a time; throws without changes if that is impossible.
  public func apply(to book: inout AlertBook, at now: Timestamp) throws(AlertProblem) {
    switch self {
    case .add(let instrument, let price, let repeats, let cooldown):
      guard CandleStream.key(of: instrument) != nil else { throw .noTrades }
      let level = try Self.level(price, of: instrument)
      try book.add(instrument, level: level, repeats: repeats, cooldownSeconds: cooldown, at: now)
    case .edit(let id, let price, let repeats, let cooldown):
      guard let alert = book.alerts.first(where: { $0.id == id }) else { throw .noSuchAlert }
      let level = try Self.level(price, of: alert.instrument)
      try book.edit(id, level: level, repeats: repeats, cooldownSeconds: cooldown)
    case .remove(let id): try book.remove(id)
    case .arm(let id): try book.arm(id)
    }
  }

  private static func level(
    _ price: String, of instrument: InstrumentKey
  ) throws(AlertProblem) -> FixedDecimal {
    guard let level = FixedDecimal(price),
      level.units > 0 || instrument.venue.descriptor.pricesMayBeNegative
    else { throw .badLevel }
    return level
  }
}
