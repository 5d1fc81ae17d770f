// The lists to choose from, which never change: products (PD1), instruments with a book (OB1) and
// shares (WL2).

public import MarketModel
public import VenueCatalogue

/// What the product chooser shows: topic `products` of docs/page-protocol.md.
///
/// Text that a person types instead goes through ``ProductCatalogue/identifier(_:)``.
public struct ProductChooserState: Equatable, Sendable {
  /// The products, in order.
  public let choices = ProductCatalogue.choices

  /// All products.
  public init() {}
}

/// What the list of instruments shows: topic `books` of docs/page-protocol.md.
public struct BookChooserState: Equatable, Sendable {
  /// The instruments, in order; the first is the one to open when none is named.
  public let instruments: [BookInstrument]
  /// Where any other pair of currencies may be opened by its name; nil where none may.
  public let acceptsPair: Venue?

  /// A list of instruments.
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

/// What the watch list shows: topic `stocks` of docs/page-protocol.md.
///
/// Each row's price is a ``WatchRowScreen``, so that only visible rows are subscribed (WL5).
public struct WatchListState: Equatable, Sendable {
  /// The rows, in order.
  public let rows: [WatchListRow]

  /// All shares.
  public init() {
    rows = IsinCatalogue.shares.map {
      WatchListRow(
        isin: $0.isin, name: $0.name, currency: IsinCatalogue.currency,
        decimals: IsinCatalogue.decimals)
    }
  }

  init(rows: [WatchListRow]) { self.rows = rows }
}
