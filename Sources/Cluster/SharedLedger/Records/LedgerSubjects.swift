/// The subjects of one ledger's orders.
enum LedgerSubjects {
  /// Commands to the lease holder, which sends a response.
  static let command = "orders.command"
  /// Requests for events after one; the response is a ``LedgerPiece``.
  static let history = "orders.history"
  /// Events as they are stored.
  static let events = "orders.events"
  static let notices = "orders.notices"
  /// The order service's pulse, four times a second.
  static let pulse = "orders.pulse"
  /// The lease of the process that accepts orders.
  static let lease = "orders.ledger"
  /// The registered ledger; outlives every process.
  static let registry = "orders.ledger"
}
