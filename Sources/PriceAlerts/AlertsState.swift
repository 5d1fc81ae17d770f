// What everybody sees of the alerts.

/// A person's alerts: topic `alerts` of docs/page-protocol.md.
public struct AlertsState: Equatable, Sendable {
  /// The alerts and what they fired.
  public var book: AlertBook
  /// Why they may not be kept, one clear sentence; nil when they are.
  public var problem: String?

  /// Puts a state together.
  public init(_ book: AlertBook = AlertBook(), problem: String? = nil) {
    (self.book, self.problem) = (book, problem)
  }
}
