public import MarketModel
public import OrderLedger
public import PaperTrading

/// A command from a client of the order service.
public enum ClientCommand: Hashable, Sendable {
  case place(OrderTicket)
  /// Change the quantity or limit of an open order.
  case amend(AmendTicket)
  case cancel(OrderIdentifier)
  /// Cancel every open order up to this one, the newest shown to the user.
  case cancelAll(through: OrderIdentifier)
  /// Preview what this order would do now, without placing it.
  case preview(OrderTicket)

  /// The venue's market of a new order or a preview; nil for others, and for the exchange's stock.
  public var instrument: Symbol? {
    switch self {
    case .place(let ticket), .preview(let ticket): ticket.instrument
    case .amend, .cancel, .cancelAll: nil
    }
  }
}

/// The single response to a command; it reports only what is on disk.
public enum OrderResponse: Hashable, Sendable {
  /// The order exists; `isRepeated` if it already existed under the same client identifier.
  case placed(OrderIdentifier, isRepeated: Bool)
  /// The order is amended; `isRepeated` if the same identifier already amended it.
  case amended(OrderIdentifier, isRepeated: Bool)
  case cancelled(OrderIdentifier)
  /// The number of orders just cancelled; 0 if none was open.
  case cancelledAll(count: Int)
  case preview(TicketPreview.Figures)
  case refused(Refusal)
  /// The order service has not responded, so the result is unknown.
  ///
  /// Resending the command under the same client identifier never places a second order.
  case unconfirmed(Sentence)

  /// Why a command was rejected.
  public struct Refusal: Error, Hashable, Sendable {
    /// The text for the user.
    public let message: Sentence
    /// The ticket field to mark.
    public let field: TicketProblem.Field?
    /// The related order in the history.
    ///
    /// It is the rejected order, the order that could not be cancelled, or the order that already
    /// has this client identifier.
    public let order: OrderIdentifier?
    /// Whether the client identifier already belongs to a different order.
    public let isNameTaken: Bool
    /// Whether the same command will be rejected again, for its values or its market.
    public let isFinal: Bool
    /// As in ``TicketPreview/Risk``, for the refused preview of an order that can be placed.
    public let usual: FixedDecimal?

    /// Creates a rejection.
    public init(
      _ message: Sentence, field: TicketProblem.Field? = nil, order: OrderIdentifier? = nil,
      isNameTaken: Bool = false, isFinal: Bool = false, usual: FixedDecimal? = nil
    ) {
      self.usual = usual
      self.isFinal = isFinal
      self.isNameTaken = isNameTaken
      self.message = message
      self.field = field
      self.order = order
    }
  }
}

/// What the order service publishes.
public enum TradingNews: Sendable {
  case position(PositionReport)
  /// Order notices, oldest first.
  case notices([OrderNotice])
  case opened(LedgerState)
  case closed(LedgerState)
  case stored(LedgerExcerpt)
  case overview(TradingOverview)
  /// Orders are rejected for this reason from now on; nil when they are accepted again.
  case storage(LedgerError?)
  /// A tick was skipped: the reason, its number, and the total skipped.
  case skippedTick(SnapshotProblem, number: UInt64, count: UInt64)
}

/// A ledger's state when opened or closed, for comparison with a later start.
public struct LedgerState: Hashable, Sendable {
  /// Which ledger it is.
  public let identity: LedgerIdentity
  /// Whether it was just created.
  public let isNew: Bool
  /// The sequence number of its latest event; 0 before the first.
  public let sequence: UInt64
  /// The hash of that event, or of the ledger's first text.
  public let head: String

  package init(identity: LedgerIdentity, isNew: Bool = false, sequence: UInt64, head: String) {
    (self.identity, self.isNew, self.sequence, self.head) = (identity, isNew, sequence, head)
  }
}
