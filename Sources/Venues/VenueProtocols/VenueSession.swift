public import MarketModel
import WireJSON

/// An event for a session.
public enum SessionInput: Sendable, Equatable {
  /// The transport is open: the WebSocket upgrade or the TCP connection succeeded.
  case opened
  /// The transport is gone; all books are doubtful until the next snapshot.
  case closed
  /// The requested streams; replaces the former set. May come while closed.
  case wanted(Set<Subscription>)
  /// Time has passed; the host sends this about four times a second while the session is open.
  case timer
}

/// How a message arrived.
public enum MessageKind: Sendable, Equatable {
  /// A WebSocket text message.
  case text
  /// A WebSocket binary message.
  case binary
  /// Bytes of a TCP stream: part of a line, or several lines.
  case stream
}

/// A message for the venue.
public struct OutboundMessage: Sendable, Equatable {
  /// How to send it.
  public let kind: MessageKind
  /// The payload.
  public let bytes: [UInt8]

  /// Creates a message from bytes.
  public init(_ kind: MessageKind, _ bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// Creates a text message.
  public init(text: String) { self.init(.text, Array(text.utf8)) }
}

/// An action that the host must take for a session; actions are taken in order.
public enum SessionEffect: Sendable, Equatable {
  /// Send this.
  case send(OutboundMessage)
  /// Request this over HTTP; the outcome arrives as a text message (``FetchedResponse``).
  ///
  /// At most one outcome for each request, none after the connection has ended.
  case fetch(FetchRequest)
  /// The venue has sent its greeting: data can be requested and shown. At most once per `opened`.
  case ready
  /// The response to a ping that the session sent; the host records the round trip.
  case pong
  /// The value of this stream changed.
  case changed(Subscription)
  /// This stream delivered a new event. Every event is reported, also those that the current value
  /// no longer shows. The change itself is reported as well.
  case happened(Subscription, MarketEvent)
  /// A message was unusable and rejected as a whole. For the log and the counter.
  case rejected(VenueProblem)
  /// The venue accepted a request with a warning. For the log.
  case warned(String)
  /// The number of listed instruments that are left out, because a name or row is unusable here.
  case skipped(Int)
  /// A book became doubtful and a new snapshot was requested.
  case resynced(Subscription)
  /// Streams of this symbol that state other prices than those shown; empty once they agree again.
  case dissented(Symbol, [WitnessDissent])
  /// The connection is no longer usable: close it and reconnect.
  case reconnect(VenueProblem)
  /// The venue refuses for a reason that a retry does not change.
  case refuse(VenueProblem)
}

/// One venue's protocol with its market data: a pure state machine over messages.
///
/// Sockets, clocks and random numbers stay outside. All calls come from one thread, with times that
/// never go back. `value(for:at:)` is cheap enough for each frame, but not for each message.
public protocol VenueSession: Sendable {
  /// The venue.
  var venue: Venue { get }
  /// Where its data comes from: derived from the address, or from the host that responded there.
  var origin: DataOrigin { get set }
  /// The heartbeat and the longest allowed silence; ``HeartbeatPolicy/Probe/pingFrame`` uses the
  /// transport's ping.
  var heartbeat: HeartbeatPolicy { get }

  /// Handles an event and returns the actions to take.
  mutating func handle(_ input: SessionInput, at now: ClockReading) -> [SessionEffect]
  /// Handles a received message and returns the actions to take; never traps on any bytes.
  mutating func receive(
    _ bytes: Span<UInt8>, kind: MessageKind, at now: ClockReading
  ) -> [SessionEffect]
  /// The current value of a stream; nil when the venue has no such stream.
  func value(for subscription: Subscription, at now: ClockReading) -> MarketValue?

  /// The venue's messages that bring another session, open and with the same streams, to this
  /// state.
  ///
  /// Empty before the greeting; nil where each message alone is sufficient for its stream.
  func checkpoint(_ request: CheckpointRequest) -> [OutboundMessage]?

  // Optional for a venue; see VenueTimes.swift.

  /// The resolution of the venue's times, in nanoseconds; nil where its messages have none.
  var timeResolutionNanoseconds: Int64? { get }
  /// The times in a message.
  func times(in bytes: Span<UInt8>) -> VenueTimes?
  /// A ping whose response contains the venue's time.
  func clockPing(_ number: Int64) -> OutboundMessage?
}

extension VenueSession {
  /// Nil: the venue sends only current values.
  public func checkpoint(_ request: CheckpointRequest) -> [OutboundMessage]? { nil }
}

/// How a connection proves that it is alive.
public struct HeartbeatPolicy: Sendable, Equatable {
  /// What to send after a silence.
  public enum Probe: Sendable, Equatable {
    /// A WebSocket ping frame.
    case pingFrame
    /// A text message ("ping" at BitMEX), answered by a text message that the session recognises.
    case text(String)
    /// Nothing can be sent; only the stream's own messages count (raw TCP).
    case none
  }

  /// What to send.
  public let probe: Probe
  /// Silence after which the probe is sent, in milliseconds.
  public let probeAfterMilliseconds: Int64
  /// Further silence after which the connection counts as dead, in milliseconds.
  public let deadAfterMilliseconds: Int64

  /// A ping frame after 10 s of silence, answered within 10 s.
  static let pingFrames = HeartbeatPolicy(
    probe: .pingFrame, probeAfterMilliseconds: 10_000, deadAfterMilliseconds: 10_000)

  /// Creates a policy.
  public init(probe: Probe, probeAfterMilliseconds: Int64, deadAfterMilliseconds: Int64) {
    self.probe = probe
    self.probeAfterMilliseconds = probeAfterMilliseconds
    self.deadAfterMilliseconds = deadAfterMilliseconds
  }
}

/// The times that a venue writes into a message, for measuring latency.
///
/// They are read apart from the contents, so a missing or odd time does no harm.
public enum VenueTimes: Equatable, Sendable {
  /// The time of the latest event in the message.
  case event(Timestamp)
  /// The response to the ping of this number, with the times of its arrival and of the response.
  case pong(number: Int64, got: Timestamp, answered: Timestamp)
}

extension VenueSession {
  /// The resolution of the venue's times, in nanoseconds; nil without times or a documented unit.
  public var timeResolutionNanoseconds: Int64? { nil }

  /// The times in a message; nil where it has none, or covers the past.
  ///
  /// O(length of the message) up to 64 KiB; nil for longer messages.
  public func times(in bytes: Span<UInt8>) -> VenueTimes? { nil }

  /// A ping whose response contains the venue's time; nil where the venue has none.
  public func clockPing(_ number: Int64) -> OutboundMessage? { nil }
}

enum RowTimes {
  static let maximumBytes = 64 << 10

  /// The time that `read` finds in an object; nil for other and long messages.
  static func event(
    in bytes: Span<UInt8>, _ read: (Span<UInt8>) throws(JSONError) -> Timestamp?
  ) -> VenueTimes? {
    guard bytes.count <= maximumBytes, bytes.count > 0, bytes[0] == UInt8(ascii: "{") else {
      return nil
    }
    return try? read(bytes).map(VenueTimes.event)
  }

  /// The latest time of the objects in the array at the cursor; nil without any.
  static func latest(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, key name: StaticString = "timestamp",
    inMilliseconds: Bool = false
  ) throws(JSONError) -> Timestamp? {
    var latest: Timestamp?
    try cursor.elements(bytes) { (cursor) throws(JSONError) in
      try cursor.object(bytes) { (key, cursor) throws(JSONError) in
        switch key {
        case name:
          let time =
            try inMilliseconds ? cursor.milliseconds(bytes) : cursor.timestamp(bytes)
          latest = latest.map { max($0, time) } ?? time
        default: break
        }
      }
    }
    return latest
  }
}
