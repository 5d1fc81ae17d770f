public import MarketModel
public import WireJSON

/// A validated quote, the only message of the ISIN stream.
///
///     {"isin":"US0378331005","price":257.11937852675885,"bid":257.1093785,"ask":257.1293785}
public struct IsinStreamMessage: Hashable, Sendable {
  /// More than ten times the longest quote.
  public static let maximumBytes = 4096

  /// The instrument that the server echoes: any text that was subscribed.
  public let isin: String
  /// More than 0.
  public let price: FixedDecimal
  /// The server computes it as price - 0.01, so it may be 0 or less; nil when absent.
  public let bid: FixedDecimal?
  /// Not below the bid; nil when absent.
  public let ask: FixedDecimal?

  /// Reads one message; other keys are ignored, a repeated key is an error.
  public init(decoding bytes: Span<UInt8>) throws(IsinStreamError) {
    guard bytes.count <= Self.maximumBytes else { throw .tooLong(bytes: bytes.count) }
    let fields: Fields
    do { fields = try Fields(bytes) } catch { throw .json(error) }
    guard fields.price.units > 0 else {
      throw .priceNotPositive(isin: fields.isin, found: fields.price)
    }
    if let bid = fields.bid, let ask = fields.ask, bid > ask {
      throw .crossed(isin: fields.isin, bid: bid, ask: ask)
    }
    (isin, price, bid, ask) = (fields.isin, fields.price, fields.bid, fields.ask)
  }
}

private struct Fields {
  let isin: String
  let price: FixedDecimal
  let bid: FixedDecimal?
  let ask: FixedDecimal?

  init(_ bytes: Span<UInt8>) throws(JSONError) {
    var cursor = JSONCursor()
    var isin: String?
    var (price, bid, ask): (FixedDecimal?, FixedDecimal?, FixedDecimal?)
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "isin": isin = try cursor.text(bytes, maximumBytes: 256)
      case "price": price = try cursor.roundedDecimal(bytes)
      case "bid": bid = try Fields.optionalDecimal(&cursor, bytes)
      case "ask": ask = try Fields.optionalDecimal(&cursor, bytes)
      default: break
      }
    }
    try cursor.finish(bytes)
    guard let isin, let price else { throw JSONError(.missingKey, at: cursor.offset) }
    (self.isin, self.price, self.bid, self.ask) = (isin, price, bid, ask)
  }

  private static func optionalDecimal(
    _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
  ) throws(JSONError) -> FixedDecimal? {
    try cursor.takeNullIfPresent(bytes) ? nil : cursor.roundedDecimal(bytes)
  }
}

/// A defect of one message, which was rejected as a whole.
public enum IsinStreamError: Error, Hashable, Sendable {
  /// Not the JSON that the stream sends.
  case json(JSONError)
  /// Longer than any quote can be.
  case tooLong(bytes: Int)
  /// A price that no stock can have.
  case priceNotPositive(isin: String, found: FixedDecimal)
  /// The bid is above the ask.
  case crossed(isin: String, bid: FixedDecimal, ask: FixedDecimal)

  /// The problem with its texts for logs and users.
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

  private static let forPeople: Sentence =
    "A price could not be read and was left out. The next one will replace it."
}

extension JSONCursor {
  /// The next number, rounded half to even where it has more than 18 digits after the point.
  mutating func roundedDecimal(_ bytes: Span<UInt8>) throws(JSONError) -> FixedDecimal {
    let first = try peek(bytes)
    guard first == UInt8(ascii: "-") || (first &- UInt8(ascii: "0")) <= 9 else {
      throw JSONError(.wrongType, at: offset)
    }
    let start = offset
    guard let value = DecimalParser.parseRounding(bytes, from: &offset) else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return value
  }
}
