import MarketModel
import WireJSON

/// Decodes messages one by one into buffers that it reuses.
protocol BookDecoder: Sendable {
  /// The kind of a message; its rows stay in the decoder.
  associatedtype Message
  associatedtype Wire: WireChannel
  var symbols: SymbolTable { get set }

  /// `takesEverything` also keeps symbols that were not requested: for recordings.
  init(takesEverything: Bool)
  /// Reads one message completely, or throws and leaves no rows to use.
  mutating func decode(_ bytes: Span<UInt8>) throws(BookDecodeError<Wire>) -> Message

  // For venues that count the messages of a connection.

  /// Handles a closed connection, or a new connection in a recording.
  mutating func interrupt()
  /// Uses nothing more of the connection.
  mutating func endConnection()
}

extension BookDecoder {
  mutating func interrupt() {}
  mutating func endConnection() {}
}

/// A kind of message as the venue names it.
protocol WireChannel: Equatable, Sendable {
  /// "BitMEX".
  static var venueName: String { get }
  var name: String { get }
  /// The part that its messages belong to; nil for parts that are never requested.
  var part: BookTopic.Part? { get }
}

/// Why a message was rejected as a whole.
struct BookDecodeError<Wire: WireChannel>: Error, Equatable, CustomStringConvertible {
  /// The channel, if it was read before the error.
  let channel: Wire?
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

  /// Whether the message may have been of this part.
  func mayBe(_ part: BookTopic.Part) -> Bool { channel == nil || channel?.part == part }
}

extension Array {
  /// Empties the array and keeps its memory; faster than `removeAll` for up to eight elements.
  @inline(__always)
  mutating func empty() {
    while !isEmpty {
      if count > 8 { return removeAll(keepingCapacity: true) }
      removeLast()
    }
  }
}

/// The requested streams of one instrument as bits, which every message reads.
struct ChannelSet: OptionSet {
  let rawValue: UInt8
  static let book = ChannelSet(rawValue: 1)
  static let trades = ChannelSet(rawValue: 2)
  static let quote = ChannelSet(rawValue: 4)
  static let figures = ChannelSet(rawValue: 8)
  static let all: ChannelSet = [.book, .trades, .quote, .figures]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ channel: Channel) {
    switch channel {
    case .book: self = .book
    case .trades: self = .trades
    case .quote: self = .quote
    case .figures: self = .figures
    // Of the venue, not of an instrument.
    case .listing: self = []
    }
  }
}
