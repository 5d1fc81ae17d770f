public import MarketModel
import WireJSON

/// One event of the feed.
///
/// Keys come in any order (`t` is last in some), so the body is only located first and read once
/// its type is known:
///
///     {"t":"trading.quote","id":"17e8f50a-…","v":2,
///      "body":{"securityId":"sb26493","currentPrice":"12352.8"}}
public struct BuxFeedMessage: Hashable, Sendable {
  /// Quotes have about 150 bytes; ignored events may be longer.
  public static let maximumBytes = 65_536

  /// The events that are handled.
  public enum Event: Hashable, Sendable {
    /// `connect.connected`: quotes can be subscribed.
    case connected
    /// `connect.failed`, with the venue's explanation.
    case failed(errorCode: String?, developerMessage: String?)
    /// `trading.quote`: the product and its price, more than 0.
    case quote(product: String, price: FixedDecimal)
    /// Any other type; its body is not read.
    case other
  }

  /// The event.
  public let event: Event
  /// Identifies messages that are delivered twice; nil where the message has none.
  public let identifier: String?

  /// Reads one message.
  public init(decoding bytes: Span<UInt8>) throws(BuxFeedError) {
    guard bytes.count <= Self.maximumBytes else { throw .tooLong(bytes: bytes.count) }
    do throws(JSONError) {
      let envelope = try Envelope(bytes)
      identifier = envelope.identifier
      event = try BuxFeedMessage.event(bytes, envelope)
    } catch { throw .json(error) }
    if case .quote(let product, let price) = event, price.units <= 0 {
      throw .priceNotPositive(product: product, found: price)
    }
  }

  /// The product in an unusable message; nil when the message may be about any product.
  static func product(in bytes: Span<UInt8>) -> String? {
    guard bytes.count <= Self.maximumBytes, let envelope = try? Envelope(bytes),
      let offset = envelope.bodyOffset
    else { return nil }
    return NamedInstrument.text("securityId", in: bytes, at: offset)
  }

  private static func event(_ bytes: Span<UInt8>, _ envelope: Envelope) throws(JSONError) -> Event {
    if JSONText.equals(bytes, envelope.type, "trading.quote") {
      guard let offset = envelope.bodyOffset else { throw JSONError(.missingKey, at: bytes.count) }
      return try quote(bytes, at: offset)
    }
    if JSONText.equals(bytes, envelope.type, "connect.connected") { return .connected }
    guard JSONText.equals(bytes, envelope.type, "connect.failed") else { return .other }
    var cursor = JSONCursor(offset: envelope.bodyOffset ?? bytes.count)
    do throws(JSONError) {
      let response = try BuxErrorResponse(bytes, &cursor)
      return .failed(errorCode: response.errorCode, developerMessage: response.developerMessage)
    } catch { return .failed(errorCode: nil, developerMessage: nil) }
  }

  private static func quote(_ bytes: Span<UInt8>, at offset: Int) throws(JSONError) -> Event {
    var cursor = JSONCursor(offset: offset)
    var product: String?
    var price: FixedDecimal?
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "securityId": product = try cursor.text(bytes, maximumBytes: 256)
      case "currentPrice": price = try cursor.looseDecimal(bytes)
      default: break
      }
    }
    guard let product, let price else { throw JSONError(.missingKey, at: cursor.offset) }
    return .quote(product: product, price: price)
  }
}

/// The outer object of a message: its type and the offset of its body.
private struct Envelope {
  private(set) var type = 0..<0
  private(set) var identifier: String?
  private(set) var bodyOffset: Int?

  init(_ bytes: Span<UInt8>) throws(JSONError) {
    var cursor = JSONCursor()
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "t": type = try cursor.string(bytes)
      case "id" where try cursor.peek(bytes) == UInt8(ascii: "\""):
        let range = try cursor.string(bytes)
        identifier = range.count <= 128 ? JSONText.decode(bytes, range) : nil
      case "body": bodyOffset = try cursor.placeOfValue(bytes)
      default: break
      }
    }
    try cursor.finish(bytes)
    if type.lowerBound == 0 { throw JSONError(.missingKey, at: cursor.offset) }
  }
}
