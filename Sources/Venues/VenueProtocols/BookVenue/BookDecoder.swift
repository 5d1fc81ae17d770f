// What the kernel needs of a venue's decoder, and how every decoder says what was wrong.

import MarketModel
import WireJSON

/// Decodes messages one after the other into buffers that it keeps.
protocol BookDecoder: Sendable {
  /// What a message is; the rows stay in the decoder.
  associatedtype Message
  associatedtype Wire: WireChannel
  /// The symbols that have a number.
  var symbols: SymbolTable { get set }

  /// `takesEverything` where symbols that nobody asked for are kept as well: for recordings.
  init(takesEverything: Bool)
  /// Reads one message whole, or throws and leaves nothing to be used.
  mutating func decode(_ bytes: Span<UInt8>) throws(BookDecodeError<Wire>) -> Message
}

/// A kind of message as the venue names it.
protocol WireChannel: Equatable, Sendable {
  /// "BitMEX".
  static var venueName: String { get }
  /// As on the wire.
  var name: String { get }
  /// What its messages are about; nil for none of the parts that are asked for.
  var part: BookTopic.Part? { get }
}

/// Why a message was rejected.
///
/// Nothing of it was used.
struct BookDecodeError<Wire: WireChannel>: Error, Equatable, CustomStringConvertible {
  /// The channel, when that had been read.
  let channel: Wire?
  /// The defect and its offset.
  let cause: JSONError
  /// At most 24 characters from the offset on.
  let found: String

  /// For logs: "BitMEX trade: expected each key once at byte 70, found …".
  var description: String {
    cause.sentence(about: "\(Wire.venueName) \(channel?.name ?? "message")", found: found)
  }

  init(_ cause: JSONError, channel: Wire?, in bytes: Span<UInt8>) {
    self.cause = cause
    self.channel = channel
    found = cause.found(in: bytes)
  }

  /// Whether the message may have been about this part.
  func mayBe(_ part: BookTopic.Part) -> Bool { channel == nil || channel?.part == part }
}
