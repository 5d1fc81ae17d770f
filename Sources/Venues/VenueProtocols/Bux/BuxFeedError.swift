public import MarketModel
public import WireJSON

/// A defect of one message, or of the whole connection.
public enum BuxFeedError: Error, Hashable, Sendable {
  /// Not the JSON that the feed sends.
  case json(JSONError)
  /// Longer than any event needs to be.
  case tooLong(bytes: Int)
  /// A price that no product can have.
  case priceNotPositive(product: String, found: FixedDecimal)
  /// `connect.failed`, with the venue's code and its text for developers.
  case refused(errorCode: String?, developerMessage: String?)
  /// No greeting in time.
  case noGreeting(milliseconds: Int64)

  /// The product whose quote was unusable; nil when the message does not state it.
  var product: String? {
    guard case .priceNotPositive(let product, _) = self else { return nil }
    return product
  }

  /// The problem with its texts for logs and users.
  public var problem: VenueProblem {
    switch self {
    case .json(let error): left(.malformed, error.description)
    case .tooLong(let bytes):
      left(
        .malformed, "message: expected at most \(BuxFeedMessage.maximumBytes) bytes, found \(bytes)"
      )
    case .priceNotPositive(let product, let found):
      left(.inconsistent, "\(product) currentPrice: expected more than 0, found \(found)")
    case .refused(let code, let developerMessage):
      VenueProblem(
        .unauthorized, venue: .bux,
        "connect.failed: \(code ?? "no code"), \(developerMessage ?? "no message")",
        userMessage: BuxFeedError.refusal(code))
    case .noGreeting(let milliseconds):
      VenueProblem(
        .venueError, venue: .bux,
        "connect.connected: expected within \(milliseconds) ms, found nothing",
        userMessage: "BUX did not start sending prices. Reconnecting…")
    }
  }

  private func left(_ kind: VenueProblem.Kind, _ description: String) -> VenueProblem {
    VenueProblem(
      kind, venue: .bux, description,
      userMessage: "A price could not be read and was left out. The next one will replace it.")
  }

  private static func refusal(_ code: String?) -> Sentence {
    guard let code else { return "BUX refused the connection. Check the access token." }
    if let known = BuxErrorResponse.known(code) { return known.userMessage }
    return "BUX refused the connection (\(code)). Check the access token."
  }
}
