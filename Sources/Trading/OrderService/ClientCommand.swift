// What a client can ask of the order service, its response, and what the service tells everyone.

public import OrderLedger
public import PaperTrading

/// A command from a client of the order service.
public enum ClientCommand: Hashable, Sendable {
  /// Place this order.
  case place(OrderTicket)
  /// Let an open order hold for another quantity, or at another price.
  case amend(AmendTicket)
  /// Cancel an open order.
  case cancel(OrderIdentifier)
  /// Cancel every open order up to this one, the newest that the person saw.
  case cancelAll(through: OrderIdentifier)
  /// Say what this order would do now; nothing is placed.
  case preview(OrderTicket)
}

/// The one response to a command; it says only what is on disk.
public enum OrderResponse: Hashable, Sendable {
  /// The order exists; `isRepeated` when it did before, under the same name.
  case placed(OrderIdentifier, isRepeated: Bool)
  /// The order is amended; `isRepeated` when it was before, under the same name.
  case amended(OrderIdentifier, isRepeated: Bool)
  /// The order is cancelled now.
  case cancelled(OrderIdentifier)
  /// So many orders are cancelled now; 0 when none was open.
  case cancelledAll(count: Int)
  /// What the order would do.
  case preview(TicketPreview.Figures)
  /// The command was rejected.
  case refused(Refusal)
  /// Nobody knows: the process that keeps the orders has not answered.
  ///
  /// Sending the same again, under the same name, orders nothing twice.
  case unconfirmed(String)

  /// Why a command was rejected.
  public struct Refusal: Error, Hashable, Sendable {
    /// The sentence for people.
    public let message: String
    /// The field of the ticket to mark.
    public let field: TicketProblem.Field?
    /// The order in the history that it is about: the rejected one, the one that could not be
    /// cancelled, the one that has this client identifier already.
    public let order: OrderIdentifier?
    /// Whether it is that the client identifier was used before, for another order.
    public let isNameTaken: Bool

    /// Says why, at which field, about which order.
    public init(
      _ message: String, field: TicketProblem.Field? = nil, order: OrderIdentifier? = nil,
      isNameTaken: Bool = false
    ) {
      self.isNameTaken = isNameTaken
      self.message = message
      self.field = field
      self.order = order
    }
  }
}

/// What the order service tells everyone.
public enum TradingNews: Sendable {
  /// What is owned, and what it is worth now.
  case position(PositionReport)
  /// Something happened to orders, oldest first.
  case notices([OrderNotice])
  /// A ledger is open, and this is in it.
  case opened(LedgerState)
  /// The ledger was closed, and this is in it.
  case closed(LedgerState)
  /// These events are on disk now.
  case stored(LedgerExcerpt)
  /// The orders as they stand now.
  case overview(TradingOverview)
  /// Orders are refused from now on for this reason, or with nil are taken (again).
  case storage(LedgerError?)
  /// A tick was skipped for this reason; its number, and how many were so far.
  case skippedTick(SnapshotProblem, number: UInt64, count: UInt64)
}

/// A ledger as it was opened or closed: what to compare with a later start.
public struct LedgerState: Hashable, Sendable {
  /// Which ledger it is.
  public let identity: LedgerIdentity
  /// Whether it was made just now.
  public let isNew: Bool
  /// The number of its latest event; 0 before the first.
  public let sequence: UInt64
  /// The hash of that event, or of the ledger's first text.
  public let head: String

  package init(identity: LedgerIdentity, isNew: Bool = false, sequence: UInt64, head: String) {
    (self.identity, self.isNew, self.sequence, self.head) = (identity, isNew, sequence, head)
  }
}
