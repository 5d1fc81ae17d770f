// The two sides of a book and one resting level, as venues send them.

public import MarketModel

/// A side of the book.
public enum BookSide: UInt8, Hashable, Sendable, CaseIterable {
  /// Buyers; the highest price is best.
  case bid
  /// Sellers; the lowest price is best.
  case ask

  /// The other side.
  public var opposite: BookSide { self == .bid ? .ask : .bid }
}

/// One level of a book: what rests at a price under one of the venue's ids.
public struct KeyedLevel: Hashable, Sendable {
  /// The venue's id of the level, opaque; 0 where the venue has none.
  public var id: Int64
  /// Where it rests.
  public var side: BookSide
  /// In units of the instrument's price scale.
  public var price: Price
  /// In units of the instrument's quantity scale; positive.
  public var size: Quantity

  /// Makes a level; `id` is 0 where the venue has none.
  public init(id: Int64 = 0, side: BookSide, price: Price, size: Quantity) {
    self.id = id
    self.side = side
    self.price = price
    self.size = size
  }
}
