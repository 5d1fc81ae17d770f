// The kinds of message that BitMEX sends.

import MarketModel
import WireJSON

/// A message after decoding.
///
/// The rows of a table message stay in the decoder's buffers.
enum BitMEXMessage: Equatable {
  /// The raw text `pong`, which is not JSON.
  case pong
  /// Rows of a table that is read.
  case table
  /// The greeting.
  case welcome
  /// A request was accepted.
  ///
  /// Says nothing about data being near.
  case acknowledged
  /// A request failed, or the venue complains.
  ///
  /// Indirect, for it is rare and large, and messages are copied.
  indirect case failure(BitMEXFailure)
  /// Anything else: unknown tables, unknown objects.
  case ignored
}

/// An error object of the venue.
struct BitMEXFailure: Equatable, CustomStringConvertible {
  /// HTTP-like; nil in the bare form.
  var status: Int?
  /// The venue's text, cut to 512 bytes.
  var text = ""
  /// From `meta.retryAfter`.
  var retryAfterSeconds: Int?
  /// "subscribe" or "unsubscribe" where the failed request is echoed.
  var operation: String?
  /// The topics of the echoed request.
  var topics: [String] = []

  /// For logs: "BitMEX error 429: Rate limit exceeded".
  var description: String {
    let status = status.map { " \($0)" } ?? ""
    return "BitMEX error\(status): \(text)"
  }
}
