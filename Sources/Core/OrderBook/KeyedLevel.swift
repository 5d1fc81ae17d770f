public import MarketModel

/// A side of the book.
public enum BookSide: UInt8, Hashable, Sendable, CaseIterable {
  /// The highest price is best.
  case bid
  /// The lowest price is best.
  case ask

  /// The other side.
  public var opposite: BookSide { self == .bid ? .ask : .bid }
}

/// One level of a book: the size at a price under a venue's level ID.
public struct KeyedLevel: Hashable, Sendable {
  /// The venue's opaque level ID; 0 if the venue has none.
  public var id: Int64
  /// Its side.
  public var side: BookSide
  /// In units of the instrument's price scale.
  public var price: Price
  /// In units of the instrument's quantity scale; positive.
  public var size: Quantity

  /// Creates a level; `id` is 0 if the venue has none.
  public init(id: Int64 = 0, side: BookSide, price: Price, size: Quantity) {
    self.id = id
    self.side = side
    self.price = price
    self.size = size
  }
}
