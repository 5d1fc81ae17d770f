// What is published where.

/// The subjects of one ledger's orders.
enum LedgerSubjects {
  /// Commands, to the process that holds the lease; answered with a response.
  static let command = "orders.command"
  /// Asks for events after one; answered with a ``LedgerPiece``.
  static let history = "orders.history"
  /// Events, as they are stored.
  static let events = "orders.events"
  /// What people are told of orders.
  static let notices = "orders.notices"
  /// How the order service is, four times a second.
  static let pulse = "orders.pulse"
  /// Which process takes orders.
  static let lease = "orders.ledger"
  /// Which ledger it must keep; outlives every process.
  static let registry = "orders.ledger"
}
