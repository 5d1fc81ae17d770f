public import MarketModel
import MarketStreams
import VenueCatalogue

/// A visible row of the watch list: topic `stock/…` of docs/page-protocol.md.
public struct WatchRowState: Equatable, Sendable {
  /// The share's ISIN.
  public internal(set) var isin: Symbol
  /// The latest price, with all digits of the stream; nil before the first.
  public internal(set) var price: FixedDecimal?
  /// The direction of the last price change.
  public internal(set) var direction: Direction
  /// The number of price changes.
  public internal(set) var changes: UInt64
  /// Whether the price is valid now.
  public internal(set) var freshness: Freshness
}

/// The price of one row of the watch list (WL2, WL5).
///
/// Open while the row is visible, which controls the subscription.
public struct WatchRowScreen: Screen {
  /// The current row.
  public private(set) var state: WatchRowState
  /// The share's quotes.
  public let wanted: Set<MarketKey>

  private var stream: QuoteStream

  /// Opens a row; nil for an invalid ISIN.
  ///
  /// The stream reports whether it has the share.
  public init?(isin: Symbol, origin: DataOrigin = .venue) {
    guard Isin.isValid(isin.text) else { return nil }
    stream = QuoteStream(MarketKey(.isin, .quote, isin), origin: origin)
    wanted = [stream.key]
    state = WatchRowState(
      isin: isin, direction: .unchanged, changes: 0, freshness: .waiting(origin))
  }

  /// Applies the share's quotes and statuses of the ISIN venue.
  ///
  /// Only `price` is shown (WL2).
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    guard let news = input.stream, stream.receive(news) else { return [] }
    if let quote = stream.value {
      state.price = quote.price
      state.direction = quote.direction
      state.changes = quote.changes
    }
    state.freshness = stream.freshness
    return []
  }

  /// No actions.
  public typealias Action = Never
}
