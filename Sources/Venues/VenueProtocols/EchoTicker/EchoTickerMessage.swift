public import MarketModel
import WireJSON

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
    writer.beginObject()
    writer.member("symbol", symbol.text)
    writer.member("price", number: price)
    writer.member("sequence", sequence)
    writer.member("session", session)
    writer.endObject()
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
    var seen = KeySet()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      try read(key, &seen, bytes, &cursor)
    }
    try cursor.finish(bytes)
  }

  private mutating func read(
    _ key: Range<Int>, _ seen: inout KeySet, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    if JSONText.equals(bytes, key, "symbol") {
      try seen.insert(1, at: key.lowerBound)
      symbol = Symbol(try cursor.text(bytes, maximumBytes: 256))
    } else if JSONText.equals(bytes, key, "price") {
      try seen.insert(2, at: key.lowerBound)
      price = try cursor.decimal(bytes)
    } else if JSONText.equals(bytes, key, "sequence") {
      try seen.insert(4, at: key.lowerBound)
      sequence = UInt64(exactly: try cursor.integer(bytes))
    } else if JSONText.equals(bytes, key, "session") {
      try seen.insert(8, at: key.lowerBound)
      session = try cursor.text(bytes, maximumBytes: 64)
    } else {
      try cursor.skipValue(bytes)
    }
  }

  var message: EchoTickerMessage? {
    guard let symbol, let price, let sequence, let session else { return nil }
    return EchoTickerMessage(symbol: symbol, price: price, sequence: sequence, session: session)
  }
}
