// The kinds of message that BitMEX sends, and why one could not be read.

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
  case failure(BitMEXFailure)
  /// Anything else: unknown tables, unknown objects.
  case ignored
}

/// An error object of the venue.
struct BitMEXFailure: Equatable {
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
}

/// Why a message was rejected.
///
/// Nothing of it was used.
struct BitMEXDecodeError: Error, Equatable, CustomStringConvertible {
  /// The table, when that had been read.
  let table: BitMEXTable?
  /// The defect and its offset.
  let cause: JSONError
  /// At most 24 characters from the offset on.
  let found: String

  /// For logs: "BitMEX trade: expected each key once at byte 70, found …".
  var description: String {
    cause.sentence(
      about: table.map { "BitMEX \($0.name)" } ?? "BitMEX message", found: found)
  }

  init(_ cause: JSONError, table: BitMEXTable?, in bytes: Span<UInt8>) {
    self.cause = cause
    self.table = table
    found = cause.found(in: bytes)
  }
}
