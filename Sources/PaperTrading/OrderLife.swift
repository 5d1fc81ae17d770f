// Where an order stands, as a type in which wrong states cannot be written: a filled order has
// fills, a pending or rejected one has none, and nothing leads out of the last three.
//
//     (new) ──▶ pending ──▶ partiallyFilled ──▶ filled
//       │          └──────────────┴───────────▶ cancelled
//       └──────▶ rejected

public import MarketModel

/// Where an order stands.
public enum OrderLife: Hashable, Sendable {
  /// Waits; nothing has been filled.
  case pending
  /// Waits; a part has been filled.
  case partiallyFilled(FillHistory)
  /// All of it has been filled.
  case filled(FillHistory)
  /// What was not filled will never be. The fills are nil when there was none.
  case cancelled(FillHistory?, Cancellation)
  /// Never became an order: a rule was broken.
  case rejected(RejectionReason)

  /// What was filled; nil for nothing.
  public var fills: FillHistory? {
    switch self {
    case .pending, .rejected: nil
    case .partiallyFilled(let fills), .filled(let fills): fills
    case .cancelled(let fills, _): fills
    }
  }

  /// Whether the order waits for offers.
  public var isOpen: Bool {
    switch self {
    case .pending, .partiallyFilled: true
    case .filled, .cancelled, .rejected: false
    }
  }

  /// The word for the history.
  public var status: OrderStatus {
    switch self {
    case .pending: .pending
    case .partiallyFilled: .partiallyFilled
    case .filled: .filled
    case .cancelled: .cancelled
    case .rejected: .rejected
    }
  }
}

/// The word of the order history.
///
/// A market order whose rest was cancelled is CANCELLED, with the filled quantity beside it, as on
/// an exchange.
public enum OrderStatus: String, Hashable, Sendable, CaseIterable {
  /// Waits; nothing filled.
  case pending = "PENDING"
  /// Waits; a part filled.
  case partiallyFilled = "PARTIALLY FILLED"
  /// All filled.
  case filled = "FILLED"
  /// Ended with a rest that was not filled.
  case cancelled = "CANCELLED"
  /// Refused: a rule was broken.
  case rejected = "REJECTED"
}

/// Why and in which market the rest of an order was given up.
public struct Cancellation: Hashable, Sendable {
  /// Who ended the order.
  public enum Reason: String, Hashable, Sendable {
    /// The person.
    case requested
    /// A market order takes the best offer only; this is what it did not hold.
    case marketRest
  }

  /// Who ended the order.
  public let reason: Reason
  /// The best opposite offer at that moment; nil when there was none or it was not live.
  public let offer: PriceLevel?
  /// What earlier orders had left of that offer when this order's turn came (before its own fill).
  public let available: Quantity

  /// Puts a cancellation together.
  public init(reason: Reason, offer: PriceLevel?, available: Quantity) {
    self.reason = reason
    self.offer = offer
    self.available = available
  }
}
