import MarketModel
public import WireJSON

/// A defect of one echo, which was rejected as a whole.
public enum EchoTickerError: Error, Hashable, Sendable {
  /// Not JSON, or a member of another type than sent.
  case json(JSONError)
  /// Longer than any message sent.
  case tooLong(bytes: Int)
  /// This session's identifier and number, but other contents than sent.
  case altered(sequence: UInt64)

  /// The problem with its texts for logs and users.
  public var problem: VenueProblem {
    let (kind, text): (VenueProblem.Kind, String) =
      switch self {
      case .json(let error): (.malformed, error.description)
      case .tooLong(let bytes):
        (
          .malformed,
          "message: expected at most \(EchoTickerMessage.maximumBytes) bytes, found \(bytes)"
        )
      case .altered(let sequence):
        (.inconsistent, "echo \(sequence): expected what was sent, found something else")
      }
    return VenueProblem(
      kind, venue: .echo, text,
      userMessage: "A price came back damaged and was left out. The next one will replace it.")
  }
}
