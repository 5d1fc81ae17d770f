// The two lists to choose from that never change: products (PD1) and instruments with a book (OB1).

public import MarketModel
public import VenueProtocols

/// What the product chooser shows: topic `products` of docs/page-protocol.md.
public struct ProductChooserState: Equatable, Sendable {
  /// The products, in order.
  public let choices: [ProductChoice]
}

/// The list of products.
///
/// What a person types instead goes through ``ProductCatalogue/identifier(_:)``.
public struct ProductChooserScreen: Screen {
  /// The choices; they never change.
  public let state = ProductChooserState(choices: ProductCatalogue.choices)
  /// Nothing.
  public let wanted: Set<MarketKey> = []

  /// Makes the list.
  public init() {}

  /// Nothing outside matters here.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] { [] }

  /// Nothing can be done here but to follow a link.
  public typealias Action = Never
}

/// What the list of instruments shows: topic `books` of docs/page-protocol.md.
public struct BookChooserState: Equatable, Sendable {
  /// The instruments, in order.
  public let instruments: [BookInstrument]
  /// Where any other pair of currencies may be opened by its name; nil where none may.
  public let acceptsPair: Venue?
}

/// The list of instruments with a book.
public struct BookChooserScreen: Screen {
  /// The instruments; they never change.
  public let state: BookChooserState
  /// Nothing.
  public let wanted: Set<MarketKey> = []

  /// Makes the list; the first instrument is the one to open when none is named.
  public init(_ instruments: [BookInstrument] = BookCatalogue.instruments) {
    state = BookChooserState(instruments: instruments, acceptsPair: BookCatalogue.pairVenue)
  }

  /// Nothing outside matters here.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] { [] }

  /// Nothing can be done here but to follow a link.
  public typealias Action = Never
}
