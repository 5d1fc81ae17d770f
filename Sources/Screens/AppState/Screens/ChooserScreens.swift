public import MarketModel
public import VenueCatalogue

/// The product chooser (PD1): topic `products` of docs/page-protocol.md.
///
/// Typed text goes through ``ProductCatalogue/identifier(_:)``.
public struct ProductChooserState: Equatable, Sendable {
  /// The products, in order.
  public let choices = ProductCatalogue.choices

  /// Creates the list of all products.
  public init() {}
}

/// The list of instruments with a book (OB1): topic `books` of docs/page-protocol.md.
public struct BookChooserState: Equatable, Sendable {
  /// The instruments in order; the first is the default.
  public let instruments: [BookInstrument]
  /// The venue at which any other currency pair can be opened by name; nil if none.
  public let acceptsPair: Venue?

  /// Creates a list of instruments.
  public init(
    _ instruments: [BookInstrument] = BookCatalogue.instruments,
    acceptsPair: Venue? = BookCatalogue.pairVenue
  ) {
    (self.instruments, self.acceptsPair) = (instruments, acceptsPair)
  }
}

/// A row of the watch list, without its price.
public struct WatchListRow: Hashable, Sendable {
  /// The share's ISIN.
  public let isin: Symbol
  /// The company's short name.
  public let name: String
  /// ISO 4217 code of the price.
  public let currency: String
  /// Decimals to show.
  public let decimals: Scale
}

/// The watch list (WL2): topic `stocks` of docs/page-protocol.md.
///
/// Each row's price is a ``WatchRowScreen``, so only visible rows are subscribed (WL5).
public struct WatchListState: Equatable, Sendable {
  /// The rows, in order.
  public let rows: [WatchListRow]

  /// Creates the list of all shares.
  public init() {
    rows = IsinCatalogue.shares.map {
      WatchListRow(
        isin: $0.isin, name: $0.name, currency: IsinCatalogue.currency,
        decimals: IsinCatalogue.decimals)
    }
  }

  init(rows: [WatchListRow]) { self.rows = rows }
}
