public import MarketModel

/// The phase of a product's screen.
public enum ProductPhase: String, Hashable, Sendable {
  case loading
  /// A product is shown; its freshness has its age.
  case shown
  /// Nothing to show, for the reason in ``ProductState/failure``.
  case failed
}

/// Whether the market is open.
public enum MarketHours: String, Hashable, Sendable {
  case open
  /// Closed: no price changes are expected.
  case closed
}

/// A product's screen (PD2, PD3, PD7, PD8): topic `product/…` of docs/page-protocol.md.
public struct ProductState: Equatable, Sendable {
  /// The details of a loaded product.
  public struct Details: Equatable, Sendable {
    /// The short name: "GERMANY30".
    public internal(set) var symbol: String
    /// The display name.
    public internal(set) var name: String
    /// ISO 4217 code of the prices.
    public internal(set) var currency: String
    /// Decimals to show.
    public internal(set) var decimals: Scale
    /// The latest price, of the response or of quotes.
    public internal(set) var price: FixedDecimal
    /// The previous close; nil without one.
    public internal(set) var closing: FixedDecimal?
    /// The change from the close in percent, two decimals; nil without a positive close.
    public internal(set) var percent: FixedDecimal?
    /// The direction of the last price change since the screen was opened.
    public internal(set) var direction: Direction
    /// The number of price changes since the screen was opened.
    public internal(set) var changes: UInt64
    /// Whether the market is open; nil if the venue does not report it.
    public internal(set) var market: MarketHours?
  }

  /// The requested identifier, at most 48 characters of it.
  public internal(set) var identifier: String
  /// The current phase.
  public internal(set) var phase: ProductPhase
  /// Why the latest attempt to load failed.
  ///
  /// With ``ProductPhase/shown``, the product comes from an earlier response.
  public internal(set) var failure: ProductFailure?
  /// The product, once loaded.
  public internal(set) var details: Details?
  /// Whether the price is valid now; waiting without one.
  public internal(set) var freshness: Freshness
}
