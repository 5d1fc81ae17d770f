// What can be wrong with an echo.

import MarketModel
public import WireJSON

/// A defect of one echo; it was rejected whole.
public enum EchoTickerError: Error, Hashable, Sendable {
  /// Not JSON, or a member of another type than sent.
  case json(JSONError)
  /// Longer than anything that was sent.
  case tooLong(bytes: Int)
  /// Our own session and number, but not what was sent under it.
  case altered(sequence: UInt64)

  /// The same for logs and people.
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
