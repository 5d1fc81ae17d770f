// Where an order stands, as a type in which wrong states cannot be written: a filled order has
// fills, a pending or rejected one has none, and nothing leads out of the last three.
//
//     (new) ──▶ pending ──▶ partiallyFilled ──▶ filled
//       │          └──────────────┴───────────▶ cancelled
//       └──────▶ rejected

public import MarketModel

/// Where an order stands.
public enum OrderLife: Hashable, Sendable {
  /// Rests; nothing has been filled.
  case pending
  /// Rests; a part has been filled.
  case partiallyFilled(FillHistory)
  /// All of it has been filled.
  case filled(FillHistory)
  /// The unfilled remainder was cancelled. The fills are nil when there was none.
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

  /// Whether the order still rests.
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
/// An order that can't rest (a market order, IOC, FOK), partly filled, ends as CANCELLED, with the
/// filled quantity beside it, as on an exchange.
public enum OrderStatus: String, Hashable, Sendable, CaseIterable {
  /// Rests; nothing filled.
  case pending = "PENDING"
  /// Rests; a part filled.
  case partiallyFilled = "PARTIALLY FILLED"
  /// All filled.
  case filled = "FILLED"
  /// Ended with an unfilled remainder.
  case cancelled = "CANCELLED"
  /// Refused: a rule was broken.
  case rejected = "REJECTED"

  /// Whether an order of this status can still be filled or cancelled.
  public var isOpen: Bool { self == .pending || self == .partiallyFilled }
}

/// Why and in which market the unfilled remainder of an order was cancelled.
public struct Cancellation: Hashable, Sendable {
  /// Who ended the order.
  public enum Reason: String, Hashable, Sendable {
    /// The person.
    case requested
    /// IOC against top of book, as every market order is: its remainder is cancelled.
    ///
    /// Stored by raw value.
    case immediateOrCancel = "marketRest"
    /// FOK against top of book: all of it could not be had.
    case fillOrKill
  }

  /// Who ended the order.
  public let reason: Reason
  /// The best opposite level at that moment; nil when there was none or it was not live.
  public let level: PriceLevel?
  /// What our earlier orders had left of that level, before this order's own fill.
  public let available: Quantity

  /// Records why, and against which market.
  public init(reason: Reason, level: PriceLevel?, available: Quantity) {
    self.reason = reason
    self.level = level
    self.available = available
  }
}
