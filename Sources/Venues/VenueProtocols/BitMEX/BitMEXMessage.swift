import MarketModel
import WireJSON

/// A message after decoding; the rows of a table message stay in the decoder's buffers.
enum BitMEXMessage: Equatable {
  /// The raw text `pong`, which is not JSON.
  case pong
  /// Rows of a supported table.
  case table
  case welcome
  /// A request was accepted; its data may still be far away.
  case acknowledged
  /// A request failed, or the venue reports an error.
  ///
  /// Indirect, because it is rare and large, and messages are copied.
  indirect case failure(BitMEXFailure)
  /// Anything else: unknown tables, unknown objects.
  case ignored
}

struct BitMEXFailure: Equatable, CustomStringConvertible {
  /// Like an HTTP status; nil in the bare form.
  var status: Int?
  /// The venue's text, cut to 512 bytes.
  var text = ""
  /// From `meta.retryAfter`.
  var retryAfterSeconds: Int?
  /// "subscribe" or "unsubscribe" where the failed request is echoed.
  var operation: String?
  var topics: [String] = []

  /// For logs: "BitMEX error 429: Rate limit exceeded".
  var description: String {
    let status = status.map { " \($0)" } ?? ""
    return "BitMEX error\(status): \(text)"
  }
}
