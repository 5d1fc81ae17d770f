public import MarketModel
import MarketStreams
public import PriceAlerts
import VenueCatalogue

/// What an alert waits for, as typed: plain digits, a sign and a point.
public struct AlertTerms: Hashable, Sendable {
  /// What it is about.
  public var kind: AlertCondition.Kind
  /// The price, percent, basis points or volume; nil for a book.
  public var level: String?
  /// Its window, or how long a book is invalid; nil without.
  public var seconds: Int64?

  /// Creates terms.
  public init(_ kind: AlertCondition.Kind, level: String? = nil, seconds: Int64? = nil) {
    (self.kind, self.level, self.seconds) = (kind, level, seconds)
  }

  /// The terms of an alert at a price.
  public static func price(_ text: String) -> AlertTerms { AlertTerms(.price, level: text) }

  /// The condition; throws if it is invalid, or impossible at the instrument's venue.
  func condition(of instrument: InstrumentKey) throws(AlertProblem) -> AlertCondition {
    if instrument.venue == .exchange {
      if kind == .book { throw .noBook }
      if kind == .volume { throw .noVolume }
    }
    let number = level.flatMap { FixedDecimal($0) }
    guard (number == nil) == (level == nil),
      let condition = AlertCondition(kind, level: number, seconds: seconds)
    else { throw .bad(kind) }
    if case .price(let level) = condition, level.units <= 0,
      !instrument.venue.descriptor.pricesMayBeNegative
    {
      throw .bad(.price)
    }
    return condition
  }
}

/// A user's command for alerts.
public enum AlertCommand: Hashable, Sendable {
  /// Creates an alert.
  case add(InstrumentKey, AlertTerms, repeats: Bool, cooldownSeconds: Int64 = 0)
  /// Changes what an alert waits for, or whether and how often it repeats.
  case edit(Int, AlertTerms, repeats: Bool, cooldownSeconds: Int64 = 0)
  case remove(Int)
  case arm(Int)

  /// Applies the command at a time; throws without changes if that is impossible.
  public func apply(to book: inout AlertBook, at now: Timestamp) throws(AlertProblem) {
    switch self {
    case .add(let instrument, let terms, let repeats, let cooldown):
      guard CandleStream.key(of: instrument) != nil else { throw .noTrades }
      try book.add(
        instrument, try terms.condition(of: instrument), repeats: repeats,
        cooldownSeconds: cooldown, at: now)
    case .edit(let id, let terms, let repeats, let cooldown):
      guard let alert = book.alerts.first(where: { $0.id == id }) else { throw .noSuchAlert }
      try book.edit(
        id, try terms.condition(of: alert.instrument), repeats: repeats, cooldownSeconds: cooldown)
    case .remove(let id): try book.remove(id)
    case .arm(let id): try book.arm(id)
    }
  }
}

extension AlertBookState {
  /// The stream of an instrument's book, or of a feed's best prices.
  public static func key(of instrument: InstrumentKey) -> MarketKey? {
    CandleStream.key(of: instrument).map {
      $0.venue == .exchange ? $0 : MarketKey(instrument.venue, .book, instrument.symbol)
    }
  }

  /// The state of a book or a quote; nil for another value.
  public init?(_ value: MarketValue) {
    switch value {
    case .book(let view):
      let (top, scale) = (view.top, view.priceScale)
      self.init(
        view.limited(view.freshness), bid: top.bid.map { FixedDecimal($0, scale: scale) },
        ask: top.ask.map { FixedDecimal($0, scale: scale) })
    case .quote(let quote): self.init(quote.freshness, bid: quote.bid, ask: quote.ask)
    case .trades, .figures, .listing: return nil
    }
  }

  private init(_ freshness: Freshness, bid: FixedDecimal?, ask: FixedDecimal?) {
    self =
      switch freshness.state {
      case .live: .live(bid: bid, ask: ask)
      case .late, .closed: .late
      case .waiting, .queued, .stale, .resyncing, .disconnected: .invalid
      }
  }
}
