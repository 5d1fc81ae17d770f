// What a screen says when there are no prices, or none any more, and what can be done about it.

/// A sentence about a connection, with what helps.
public struct ConnectionNotice: Equatable, Sendable {
  /// What a person can do.
  public enum Remedy: Hashable, Sendable {
    /// Nothing: an attempt is under way or the venue is gone for good; the sentence says which.
    case none
    /// Nothing here: the app was given no address of the venue.
    case setUp
    /// End the wait before the next attempt.
    case retry
    /// Close the connection, which brings nothing, and open another.
    case reconnect
    /// Connect again what the person has stopped.
    case start

    /// What the button says; nil without one.
    public var title: String? {
      switch self {
      case .none, .setUp: nil
      case .retry: "Retry"
      case .reconnect: "Reconnect"
      case .start: "Connect again"
      }
    }
  }

  /// What is wrong and what happens next.
  public let text: String
  /// What can be done.
  public let remedy: Remedy

  /// Puts a notice together.
  public init(_ text: String, _ remedy: Remedy) { (self.text, self.remedy) = (text, remedy) }
}
