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

  /// How long a limit order holds.
  public enum Validity: Hashable, Sendable {
    /// Until it is filled or cancelled.
    case goodTillCancelled
    /// What can be had now; the remainder is cancelled.
    case immediateOrCancel
    /// All of it now, or nothing.
    case fillOrKill
  }

  /// A number to type.
  public enum Field: Hashable, Sendable {
    /// How much.
    case quantity
    /// The limit.
    case price
    /// The worst price that a market order takes; without one it takes any.
    case protection

    var word: String {
      switch self {
      case .quantity: "quantity"
      case .price: "price"
      case .protection: "protection price"
      }
    }
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
  /// How long a limit order holds.
  public internal(set) var validity = Validity.goodTillCancelled
  /// The protection price of a market order, as it stands in the field; empty for none.
  public internal(set) var protection = ""
  /// Whether the protection price, or that there is none, is the person's; it follows the market
  /// otherwise.
  public internal(set) var ownsProtection = false

  subscript(_ field: Field) -> String {
    get {
      switch field {
      case .quantity: quantity
      case .price: price
      case .protection: protection
      }
    }
    set {
      switch field {
      case .quantity: quantity = newValue
      case .price: price = newValue
      case .protection: (protection, ownsProtection) = (newValue, true)
      }
    }
  }
}

/// An order in digits with a point, as it is sent; it never changes.
///
/// A class, since the ticket keeps it in many places, and WebAssembly has every copy of a struct
/// with texts spelled out.
public final class TicketOrder: Sendable {
  /// The device's name for the order: one name, one order.
  ///
  /// It is "preview" while it has none.
  public let name: String
  /// Buy or sell.
  public let side: Side
  /// At which price, and for how long.
  public let terms: Terms
  /// How much.
  public let quantity: String

  /// At which price an order may be filled, and for how long it holds.
  public enum Terms: Sendable {
    /// At the best opposite price, now; not beyond the protection price, where there is one.
    case market(protection: String?)
    /// At this price or better.
    case limit(price: String, TicketDraft.Validity)
  }

  /// Holds an order.
  public init(name: String, side: Side, terms: Terms, quantity: String) {
    (self.name, self.side, self.terms, self.quantity) = (name, side, terms, quantity)
  }

  /// The limit; nil for a market order.
  public var price: String? {
    if case .limit(let price, _) = terms { price } else { nil }
  }

  /// The protection price of a market order; nil where there is none.
  public var protection: String? {
    if case .market(let protection) = terms { protection } else { nil }
  }

  /// How long it holds.
  public var validity: TicketDraft.Validity {
    if case .limit(_, let validity) = terms { validity } else { .immediateOrCancel }
  }

  /// Market or limit.
  public var pricing: TicketDraft.Pricing { price == nil ? .market : .limit }

  /// Whether it can wait for a price.
  var mayRest: Bool { validity == .goodTillCancelled }

  /// The worst price that it takes; nil where any is taken.
  var bound: FixedDecimal? { (price ?? protection).flatMap { FixedDecimal(plain: $0) } }

  func named(_ name: String) -> TicketOrder {
    TicketOrder(name: name, side: side, terms: terms, quantity: quantity)
  }

  /// Whether it is the same order, whatever its name.
  func isSame(as other: TicketOrder?) -> Bool {
    guard let other, isAlike(other) else { return false }
    return (protection ?? "").isSame(as: other.protection ?? "")
  }

  /// Whether it is the same order but for its protection price.
  func isAlike(_ other: TicketOrder) -> Bool {
    guard side == other.side, pricing == other.pricing, validity == other.validity else {
      return false
    }
    return quantity.isSame(as: other.quantity) && (price ?? "").isSame(as: other.price ?? "")
  }
}

extension TicketDraft.Field {
  /// The field that the order service means: a market order's price is its protection price.
  func meant(by pricing: TicketDraft.Pricing) -> TicketDraft.Field {
    self == .price && pricing == .market ? .protection : self
  }
}

extension String {
  /// Byte for byte: Embedded Swift has no tables to compare otherwise.
  @inline(never)
  func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
