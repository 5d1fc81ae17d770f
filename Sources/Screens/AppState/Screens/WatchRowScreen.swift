// The price of one row of the watch list (WL2, WL5): opened while the row is visible, closed when
// it is scrolled away; subscribing follows from that.

public import MarketModel
import MarketStreams
import VenueCatalogue

/// What a visible row shows: topic `stock/…` of docs/page-protocol.md.
public struct WatchRowState: Equatable, Sendable {
  /// The share's ISIN.
  public internal(set) var isin: Symbol
  /// The latest price, with all the digits that the stream sent; nil before the first.
  public internal(set) var price: FixedDecimal?
  /// Where the price went at its last change.
  public internal(set) var direction: Direction
  /// Counts changes of the price.
  public internal(set) var changes: UInt64
  /// Whether the price can be believed now.
  public internal(set) var freshness: Freshness
}

/// One visible row.
public struct WatchRowScreen: Screen {
  /// The row now.
  public private(set) var state: WatchRowState
  /// The share's quotes.
  public let wanted: Set<MarketKey>

  private var stream: QuoteStream

  /// Opens a row; nil for what is no ISIN.
  ///
  /// Whether the stream has the share, it says.
  public init?(isin: Symbol, origin: DataOrigin = .venue) {
    guard Isin.isValid(isin.text) else { return nil }
    stream = QuoteStream(MarketKey(.isin, .quote, isin), origin: origin)
    wanted = [stream.key]
    state = WatchRowState(
      isin: isin, direction: .unchanged, changes: 0, freshness: .waiting(origin))
  }

  /// Takes the share's quotes and statuses of the ISIN venue.
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

  /// Nothing can be done here.
  public typealias Action = Never
}
