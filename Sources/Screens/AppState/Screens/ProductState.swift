// What a product's screen shows (PD2, PD3, PD7, PD8): topic `product/…` of docs/page-protocol.md.

public import MarketModel

/// Where a product's screen stands.
public enum ProductPhase: String, Hashable, Sendable {
  /// The first answer is on its way.
  case loading
  /// There is a product to show, however old; its freshness says how old.
  case shown
  /// There is nothing to show, for the reason in ``ProductState/failure``.
  case failed
}

/// Whether trading goes on.
public enum MarketHours: String, Hashable, Sendable {
  /// Trading goes on.
  case open
  /// It does not: prices stand still by right.
  case closed
}

/// A product's screen.
public struct ProductState: Equatable, Sendable {
  /// What is known of a product that was loaded.
  public struct Details: Equatable, Sendable {
    /// The short name: "GERMANY30".
    public internal(set) var symbol: String
    /// The name for people.
    public internal(set) var name: String
    /// ISO 4217 code of the prices.
    public internal(set) var currency: String
    /// Decimals to show.
    public internal(set) var decimals: Scale
    /// The latest price: of the answer, then of quotes.
    public internal(set) var price: FixedDecimal
    /// The previous close; nil where there is none.
    public internal(set) var closing: FixedDecimal?
    /// From the close to the price in percent, two decimals; nil without a positive close.
    public internal(set) var percent: FixedDecimal?
    /// Where the price went at its last change since the screen was opened.
    public internal(set) var direction: Direction
    /// Counts changes of the price since the screen was opened.
    public internal(set) var changes: UInt64
    /// Whether the market is open; nil where the venue does not say.
    public internal(set) var market: MarketHours?
  }

  /// The identifier as it was asked for, at most 48 characters of it.
  public internal(set) var identifier: String
  /// Where the screen stands.
  public internal(set) var phase: ProductPhase
  /// Why the latest attempt to load failed.
  ///
  /// With ``ProductPhase/shown`` it means that the product is that of an earlier answer.
  public internal(set) var failure: ProductFailure?
  /// The product, once loaded.
  public internal(set) var details: Details?
  /// Whether the price can be believed now; waiting while there is none.
  public internal(set) var freshness: Freshness
}
