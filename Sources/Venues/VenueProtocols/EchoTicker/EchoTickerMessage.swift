public import MarketModel
public import WireJSON

/// One price that is sent to the echo server and comes back.
///
///     {"symbol":"AAPL","price":189.20,"sequence":7,"session":"9f0c…"}
public struct EchoTickerMessage: Hashable, Sendable {
  /// More than ten times the longest message.
  public static let maximumBytes = 2048

  /// The stock.
  public let symbol: Symbol
  /// More than 0, with two decimals.
  public let price: FixedDecimal
  /// Counts all messages of a connection over all symbols, from 1.
  public let sequence: UInt64
  /// Identifies the sending connection: 16 hexadecimal digits.
  public let session: String

  /// Creates a message.
  public init(symbol: Symbol, price: FixedDecimal, sequence: UInt64, session: String) {
    self.symbol = symbol
    self.price = price
    self.sequence = sequence
    self.session = session
  }

  /// Reads an echo; nil for other JSON, which another client of the server may have sent.
  public init?(decoding bytes: Span<UInt8>) throws(EchoTickerError) {
    guard bytes.count <= Self.maximumBytes else { throw .tooLong(bytes: bytes.count) }
    do throws(JSONError) {
      guard let message = try EchoFields(bytes).message else { return nil }
      self = message
    } catch { throw .json(error) }
  }

  /// The message as it is sent.
  public var message: OutboundMessage {
    var writer = JSONWriter(capacity: 96)
    writer.object { writer in
      writer.member("symbol", symbol.text)
      writer.member("price", number: price)
      writer.member("sequence", sequence)
      writer.member("session", session)
    }
    return OutboundMessage(.text, writer.bytes)
  }
}

private struct EchoFields {
  private var symbol: Symbol?
  private var price: FixedDecimal?
  private var sequence: UInt64?
  private var session: String?

  init(_ bytes: Span<UInt8>) throws(JSONError) {
    var cursor = JSONCursor()
    guard try cursor.peek(bytes) == UInt8(ascii: "{") else {
      try cursor.skipValue(bytes)
      try cursor.finish(bytes)
      return
    }
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "symbol": symbol = Symbol(try cursor.text(bytes, maximumBytes: 256))
      case "price": price = try cursor.decimal(bytes)
      case "sequence": sequence = UInt64(exactly: try cursor.integer(bytes))
      case "session": session = try cursor.text(bytes, maximumBytes: 64)
      default: break
      }
    }
    try cursor.finish(bytes)
  }

  var message: EchoTickerMessage? {
    guard let symbol, let price, let sequence, let session else { return nil }
    return EchoTickerMessage(symbol: symbol, price: price, sequence: sequence, session: session)
  }
}

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
