public import MarketModel

/// Why there are no prices, with a remedy.
public struct ConnectionNotice: Equatable, Sendable {
  /// What the user can do.
  public enum Remedy: Hashable, Sendable {
    /// Nothing: an attempt is in progress or the venue is permanently closed, as the text explains.
    case none
    /// Configure the venue's address, which is missing.
    case setUp
    /// Connect now instead of after the back-off.
    case retry
    /// Replace a connection that delivers nothing.
    case reconnect
    /// Connect a venue that the user stopped.
    case start

    /// The button's label; nil without a button.
    public var title: Sentence? {
      switch self {
      case .none, .setUp: nil
      case .retry: "Retry"
      case .reconnect: "Reconnect"
      case .start: "Connect again"
      }
    }
  }

  /// What is wrong and what happens next.
  public let text: Sentence
  /// The remedy.
  public let remedy: Remedy

  /// Creates a notice.
  public init(_ text: Sentence, _ remedy: Remedy) { (self.text, self.remedy) = (text, remedy) }
}
