// An order on its way from the fields to the order service: what was typed, and what is sent.

public import MarketModel

/// What stands in the ticket, as typed.
public struct TicketDraft: Sendable {
  /// Market or limit.
  public enum Pricing: Hashable, Sendable {
    /// At the best opposite price, now.
    case market
    /// At the limit or better.
    case limit
  }

  /// A number to type.
  public enum Field: Hashable, Sendable {
    /// How much.
    case quantity
    /// The limit.
    case price

    var word: String { self == .quantity ? "quantity" : "price" }
  }

  /// The most bytes of a field; no number needs more.
  public static let maximumBytes = 160

  /// Buy or sell.
  public internal(set) var side = Side.buy
  /// Market or limit.
  public internal(set) var pricing = Pricing.market
  /// How much, as typed.
  public internal(set) var quantity = ""
  /// The limit, as typed; it is kept while the order is a market order.
  public internal(set) var price = ""

  subscript(_ field: Field) -> String {
    get { field == .quantity ? quantity : price }
    set {
      if field == .quantity { quantity = newValue } else { price = newValue }
    }
  }
}

/// An order in digits with a point, as it is sent.
public struct TicketOrder: Sendable {
  /// The device's name for the order: one name, one order.
  ///
  /// It is "preview" while it has none.
  public let name: String
  /// Buy or sell.
  public let side: Side
  /// The limit; nil for a market order.
  public let price: String?
  /// How much.
  public let quantity: String

  /// Holds an order.
  public init(name: String, side: Side, price: String?, quantity: String) {
    (self.name, self.side, self.price, self.quantity) = (name, side, price, quantity)
  }

  /// Market or limit.
  public var pricing: TicketDraft.Pricing { price == nil ? .market : .limit }

  func named(_ name: String) -> TicketOrder {
    TicketOrder(name: name, side: side, price: price, quantity: quantity)
  }

  /// Whether it is the same order, whatever its name.
  func isSame(as other: TicketOrder?) -> Bool {
    guard let other, side == other.side, (price == nil) == (other.price == nil) else {
      return false
    }
    return quantity.isSame(as: other.quantity) && (price ?? "").isSame(as: other.price ?? "")
  }
}

extension String {
  /// Byte for byte: Embedded Swift has no tables to compare otherwise.
  func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
