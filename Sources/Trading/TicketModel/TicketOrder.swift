public import MarketModel

/// The ticket's fields as typed.
public struct TicketDraft: Sendable {
  /// The order type.
  public enum Pricing: Hashable, Sendable {
    case market
    case limit
  }

  /// The time in force of an order that rests or waits.
  public enum Validity: Hashable, Sendable, CaseIterable {
    /// GTC: until it is filled or cancelled.
    case goodTillCancelled
    /// IOC: fills what is available now; the remainder is cancelled.
    case immediateOrCancel
    /// FOK: all of it now, or nothing.
    case fillOrKill
    /// Rests until it is filled or cancelled; refused if it would take.
    case postOnly
    /// GTD: until it is filled or cancelled, but no longer than this.
    case hour, day, week
    /// Post-only and GTD.
    case postHour, postDay, postWeek

    /// Whether it is refused if it would take.
    public var isPostOnly: Bool {
      self == .postOnly || self == .postHour || self == .postDay || self == .postWeek
    }

    /// The same for an order that waits and then trades at the market.
    public var atMarket: Validity {
      self == .hour || self == .day || self == .week ? self : .goodTillCancelled
    }

    /// Whether what does not fill at once stays open.
    public var mayRest: Bool { self != .immediateOrCancel && self != .fillOrKill }

    /// How long an order is open at most, in milliseconds; nil for any time.
    var lifetime: Int64? {
      switch self {
      case .hour, .postHour: 3_600_000
      case .day, .postDay: 86_400_000
      case .week, .postWeek: 604_800_000
      default: nil
      }
    }
  }

  /// What an order waits for before it works.
  public enum Condition: Hashable, Sendable, CaseIterable {
    case none
    /// A trade at the trigger or beyond it, against the order.
    case stop
    /// A trade at the trigger or beyond it, in favour of the order.
    case takeProfit
    /// A stop that follows the best price at a distance in price, or in percent.
    case trail, trailPercent
    /// Nothing: a limit order with a stop as its alternative.
    case oco
    /// Nothing: an order with a stop and a take-profit for what it fills.
    case bracket

    /// Whether nothing of the order is in the market before a trade.
    public var waits: Bool { self == .stop || self == .takeProfit || trails }

    /// Whether the trigger field is a distance.
    var trails: Bool { self == .trail || self == .trailPercent }
  }

  /// A number field.
  public enum Field: Hashable, Sendable {
    case quantity
    case price
    /// The price of the trade that an order waits for.
    case trigger
    /// The take-profit of a bracket.
    case profit
    /// The worst price a market order accepts; any price if empty.
    case protection

    var word: Sentence {
      switch self {
      case .quantity: "quantity"
      case .price: "price"
      case .trigger: "trigger price"
      case .profit: "take-profit price"
      case .protection: "protection price"
      }
    }

    var request: Sentence {
      switch self {
      case .quantity: "Enter a quantity."
      case .price: "Enter a price."
      case .trigger: "Enter a trigger price."
      case .profit: "Enter a take-profit price."
      case .protection: "Enter a protection price."
      }
    }
  }

  /// The maximum bytes of a field; no number needs more.
  public static let maximumBytes = 160

  /// Buy or sell.
  public internal(set) var side = Side.buy
  /// The order type.
  public internal(set) var pricing = Pricing.market
  /// The quantity as typed.
  public internal(set) var quantity = ""
  /// The limit as typed; kept while the order is a market order.
  public internal(set) var price = ""
  /// The time in force of an order that rests or waits.
  public internal(set) var validity = Validity.goodTillCancelled
  /// What the order waits for.
  public internal(set) var condition = Condition.none
  /// The trigger as typed; kept while the order waits for nothing.
  public internal(set) var trigger = ""
  /// The take-profit of a bracket as typed.
  public internal(set) var profit = ""
  /// Whether the order only closes a position.
  public internal(set) var isReduceOnly = false
  /// The protection price of a market order as shown; empty for none.
  public internal(set) var protection = ""
  /// Whether the user set or removed the protection price; otherwise it follows the market.
  public internal(set) var ownsProtection = false

  subscript(_ field: Field) -> String {
    get {
      switch field {
      case .quantity: quantity
      case .price: price
      case .trigger: trigger
      case .profit: profit
      case .protection: protection
      }
    }
    set {
      switch field {
      case .quantity: quantity = newValue
      case .price: price = newValue
      case .trigger: trigger = newValue
      case .profit: profit = newValue
      case .protection: (protection, ownsProtection) = (newValue, true)
      }
    }
  }
}

/// An immutable order in digits with a point, as it is sent.
///
/// A class, because the ticket stores it in many places and WebAssembly inlines every copy of a
/// struct with strings.
public final class TicketOrder: Sendable {
  /// The order's client identifier, unique per order; "preview" until it is reviewed.
  public let name: String
  /// The venue's market, "kraken:BTC/USD"; empty for the exchange's stock.
  public let instrument: String
  /// Buy or sell.
  public let side: Side
  /// Price and time in force.
  public let terms: Terms
  /// The quantity.
  public let quantity: String
  /// What it waits for.
  public let condition: TicketDraft.Condition
  /// The trigger, or the stop that it is linked to; nil without one.
  public let trigger: String?
  /// The take-profit of a bracket.
  public let profit: String?
  /// Whether it only closes a position.
  public let isReduceOnly: Bool
  /// When it ends; nil for never, and before the order is named.
  public let expiry: Timestamp?

  /// The time in force of a market order.
  private let waitingValidity: TicketDraft.Validity

  /// The price and time in force of an order.
  public enum Terms: Sendable {
    /// At the best opposite price, now, but not beyond the protection price if there is one.
    case market(protection: String?)
    case limit(price: String, TicketDraft.Validity)
  }

  /// Creates an order.
  public init(
    name: String, instrument: String = "", side: Side, terms: Terms, quantity: String,
    condition: TicketDraft.Condition = .none, trigger: String? = nil, profit: String? = nil,
    isReduceOnly: Bool = false, expiry: Timestamp? = nil,
    waits validity: TicketDraft.Validity = .goodTillCancelled
  ) {
    waitingValidity = condition.waits ? validity.atMarket : .immediateOrCancel
    (self.isReduceOnly, self.expiry) = (isReduceOnly, expiry)
    self.profit = condition == .bracket ? profit : nil
    (self.condition, self.trigger) = (condition, condition == .none ? nil : trigger)
    (self.name, self.instrument) = (name, instrument)
    (self.side, self.terms, self.quantity) = (side, terms, quantity)
  }

  /// The limit; nil for a market order.
  public var price: String? {
    if case .limit(let price, _) = terms { price } else { nil }
  }

  /// The protection price of a market order; nil without one.
  public var protection: String? {
    if case .market(let protection) = terms { protection } else { nil }
  }

  /// The time in force.
  public var validity: TicketDraft.Validity {
    if case .limit(_, let validity) = terms { validity } else { waitingValidity }
  }

  /// The order type.
  public var pricing: TicketDraft.Pricing { price == nil ? .market : .limit }

  var mayRest: Bool { condition.waits || validity.mayRest }

  /// Whether trades at the trigger or higher trigger it, instead of lower ones.
  var isRising: Bool { (condition == .stop) == (side == .buy) }

  /// The worst acceptable price; nil if any price is.
  var bound: FixedDecimal? { (price ?? protection).flatMap { FixedDecimal(plain: $0) } }

  func named(_ name: String, at time: Timestamp) -> TicketOrder {
    TicketOrder(
      name: name, instrument: instrument, side: side, terms: terms, quantity: quantity,
      condition: condition, trigger: trigger, profit: profit, isReduceOnly: isReduceOnly,
      expiry: validity.lifetime.map { Timestamp(milliseconds: time.milliseconds + $0) },
      waits: waitingValidity)
  }

  /// Whether everything but the client identifier is equal.
  func isSame(as other: TicketOrder?) -> Bool {
    guard let other, isAlike(other) else { return false }
    return (protection ?? "").isSame(as: other.protection ?? "")
  }

  /// Whether everything but client identifier and protection price is equal.
  func isAlike(_ other: TicketOrder) -> Bool {
    guard instrument.isSame(as: other.instrument), side == other.side, pricing == other.pricing,
      validity == other.validity, condition == other.condition,
      isReduceOnly == other.isReduceOnly,
      (trigger ?? "").isSame(as: other.trigger ?? ""),
      (profit ?? "").isSame(as: other.profit ?? "")
    else {
      return false
    }
    return quantity.isSame(as: other.quantity) && (price ?? "").isSame(as: other.price ?? "")
  }
}

extension TicketDraft.Field {
  /// The ticket's field for a field of the order service: a market order's price is its protection
  /// price.
  func meant(by pricing: TicketDraft.Pricing) -> TicketDraft.Field {
    self == .price && pricing == .market ? .protection : self
  }
}

extension String {
  /// Compares bytes: Embedded Swift has no Unicode tables.
  @inline(never)
  func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
