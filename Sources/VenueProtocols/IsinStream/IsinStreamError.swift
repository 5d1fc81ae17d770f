// What can be wrong with a message of the ISIN stream. The server itself never reports an error.

public import MarketModel
public import WireJSON

/// A defect of one message; the message was rejected whole.
public enum IsinStreamError: Error, Hashable, Sendable {
  /// Not the JSON that the stream sends.
  case json(JSONError)
  /// Longer than any quote can be.
  case tooLong(bytes: Int)
  /// A price that no stock can have.
  case priceNotPositive(isin: String, found: FixedDecimal)
  /// Buyers would pay more than sellers ask.
  case crossed(isin: String, bid: FixedDecimal, ask: FixedDecimal)

  /// The same for logs and people.
  public var problem: VenueProblem {
    switch self {
    case .json(let error):
      VenueProblem(.malformed, venue: .isin, error.description, userMessage: Self.forPeople)
    case .tooLong(let bytes):
      VenueProblem(
        .malformed, venue: .isin,
        "message: expected at most \(IsinStreamMessage.maximumBytes) bytes, found \(bytes)",
        userMessage: Self.forPeople)
    case .priceNotPositive(let isin, let found):
      VenueProblem(
        .inconsistent, venue: .isin, "\(isin) price: expected more than 0, found \(found)",
        userMessage: Self.forPeople)
    case .crossed(let isin, let bid, let ask):
      VenueProblem(
        .inconsistent, venue: .isin, "\(isin) quote: expected bid ≤ ask, found \(bid) > \(ask)",
        userMessage: Self.forPeople)
    }
  }

  private static let forPeople =
    "A price could not be read and was left out. The next one will replace it."
}
