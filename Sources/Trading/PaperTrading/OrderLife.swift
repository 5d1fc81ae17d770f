public import MarketModel

/// The state of an order.
///
/// Invalid states cannot be represented: a filled order has fills, a pending or rejected one has
/// none, and the last three states are final.
///
///     (new) ──▶ pending ──▶ partiallyFilled ──▶ filled
///       │          └──────────────┴───────────▶ cancelled
///       └──────▶ rejected
public enum OrderLife: Hashable, Sendable {
  case pending
  case partiallyFilled(FillHistory)
  case filled(FillHistory)
  /// The unfilled remainder was cancelled; the fills are nil if nothing was filled.
  case cancelled(FillHistory?, Cancellation)
  case rejected(RejectionReason)

  /// The fills; nil for none.
  public var fills: FillHistory? {
    switch self {
    case .pending, .rejected: nil
    case .partiallyFilled(let fills), .filled(let fills): fills
    case .cancelled(let fills, _): fills
    }
  }

  /// Whether the order is open.
  public var isOpen: Bool {
    switch self {
    case .pending, .partiallyFilled: true
    case .filled, .cancelled, .rejected: false
    }
  }

  /// The status for the order history.
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

/// The status in the order history.
///
/// A partly filled order that can't rest (market, IOC, FOK) ends as CANCELLED with its filled
/// quantity, as on an exchange.
public enum OrderStatus: String, Hashable, Sendable, CaseIterable {
  case pending = "PENDING"
  case partiallyFilled = "PARTIALLY FILLED"
  case filled = "FILLED"
  case cancelled = "CANCELLED"
  case rejected = "REJECTED"

  /// Whether an order of this status can still be filled or cancelled.
  public var isOpen: Bool { self == .pending || self == .partiallyFilled }
}

/// Why, and in which market, an order's remainder was cancelled.
public struct Cancellation: Hashable, Sendable {
  /// The cause of a cancellation.
  public enum Reason: String, Hashable, Sendable {
    case requested
    /// IOC, as every market order is: the remainder is cancelled against top of book.
    ///
    /// Stored by raw value.
    case immediateOrCancel = "marketRest"
    /// FOK: top of book did not hold the whole quantity.
    case fillOrKill
    /// Another leg worked, or the order that it was an exit of ended without a fill.
    case linked
    /// GTD: its time had come.
    case expired
    /// Its time came while the program was not running; found at its start.
    case expiredWhileStopped
    /// Reduce-only: nothing was left of the position.
    case reduceOnly
    /// Post-only: it would have taken when it arrived.
    case postOnly
  }

  /// The cause.
  public let reason: Reason
  /// The best opposite level at that moment; nil if missing or not live.
  public let level: PriceLevel?
  /// What earlier orders had left of that level, before this order's own fill.
  public let available: Quantity

  /// Creates a cancellation record.
  public init(reason: Reason, level: PriceLevel?, available: Quantity) {
    self.reason = reason
    self.level = level
    self.available = available
  }
}
