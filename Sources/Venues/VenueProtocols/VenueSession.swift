// What every venue's protocol is to the rest of the program: a pure state machine over messages
// that also holds the market data of that venue. Sockets, clocks and chance stay outside.

public import MarketModel

/// What happens to a session.
public enum SessionInput: Sendable, Equatable {
  /// The transport is open: the WebSocket upgrade or the TCP connection succeeded.
  case opened
  /// The transport is gone; all books are doubtful until the next snapshot.
  case closed
  /// The streams wanted now; replaces the former set. May come while closed.
  case wanted(Set<Subscription>)
  /// Time has passed; the host sends this about four times a second while the session is open.
  case timer
}

/// How a message came.
public enum MessageKind: Sendable, Equatable {
  /// A WebSocket text message.
  case text
  /// A WebSocket binary message.
  case binary
  /// Bytes of a TCP stream: any part of a line or of several.
  case stream
}

/// A message for the venue.
public struct OutboundMessage: Sendable, Equatable {
  /// How it is to be sent.
  public let kind: MessageKind
  /// The payload.
  public let bytes: [UInt8]

  /// Makes a message from bytes.
  public init(_ kind: MessageKind, _ bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// Makes a text message.
  public init(text: String) { self.init(.text, Array(text.utf8)) }
}

/// What the host must do for a session, in order.
public enum SessionEffect: Sendable, Equatable {
  /// Send this.
  case send(OutboundMessage)
  /// The venue has greeted us: data may be asked for and shown. At most once for each `opened`.
  case ready
  /// The answer to a ping that the session sent itself; the host notes the round trip.
  case pong
  /// The value of this stream changed.
  case changed(Subscription)
  /// This stream brought something that was not known before; every one is reported, also those
  /// that the present value no longer shows. The change itself is reported as well.
  case happened(Subscription, MarketEvent)
  /// A message could not be used; it was rejected whole. For the log and the counter.
  case rejected(VenueProblem)
  /// The venue warned about a request that it carried out. For the log.
  case warned(String)
  /// So many instruments of the venue's list are left out: their names can't be written here, or
  /// their rows can't be read.
  case skipped(Int)
  /// A book was found doubtful and a new snapshot asked for.
  case resynced(Subscription)
  /// Streams of this symbol say other prices than those that are shown, or (without any) do so no
  /// more.
  case dissented(Symbol, [WitnessDissent])
  /// The connection is no longer usable: close it and try again.
  case reconnect(VenueProblem)
  /// The venue refuses for a reason that trying again does not change.
  case refuse(VenueProblem)
}

/// One venue's protocol with the market data it has brought.
///
/// All calls come from one thread, with times that never go back. `value(for:at:)` is cheap
/// enough to be called once a frame, not once a message.
public protocol VenueSession: Sendable {
  /// The venue.
  var venue: Venue { get }
  /// Where its data comes from: what the address tells, or the host that answered there.
  var origin: DataOrigin { get set }
  /// What to send as heartbeat and how long silence may last; ``HeartbeatPolicy/Probe/pingFrame``
  /// where the transport's ping is used.
  var heartbeat: HeartbeatPolicy { get }

  /// Takes an event and returns what to do.
  mutating func handle(_ input: SessionInput, at now: ClockReading) -> [SessionEffect]
  /// Takes a received message and returns what to do. Never traps, whatever the bytes are.
  mutating func receive(
    _ bytes: Span<UInt8>, kind: MessageKind, at now: ClockReading
  ) -> [SessionEffect]
  /// The present value of a stream; nil when the venue has no such stream.
  func value(for subscription: Subscription, at now: ClockReading) -> MarketValue?

  /// What it knows, spelled as the venue would: the messages that bring another session, open and
  /// with the same wanted streams, to where this one is.
  ///
  /// Empty while it has not been greeted; nil where the venue tells of now alone, so that the next
  /// message of a stream is all there is to know.
  func checkpoint(_ request: CheckpointRequest) -> [OutboundMessage]?

  // What most venues do without; see VenueTimes.swift.

  /// How finely the venue tells its times, in nanoseconds; nil where its messages have none.
  var timeResolutionNanoseconds: Int64? { get }
  /// What a message says of its times.
  func times(in bytes: Span<UInt8>) -> VenueTimes?
  /// A ping whose answer tells the venue's time.
  func clockPing(_ number: Int64) -> OutboundMessage?
}

extension VenueSession {
  /// Nil: what the venue says is of now alone.
  public func checkpoint(_ request: CheckpointRequest) -> [OutboundMessage]? { nil }
}

/// How a connection proves that it is alive.
public struct HeartbeatPolicy: Sendable, Equatable {
  /// What to send when nothing has come for a while.
  public enum Probe: Sendable, Equatable {
    /// A WebSocket ping frame.
    case pingFrame
    /// A text message ("ping" at BitMEX), answered by a text message that the session knows.
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

  /// Makes a policy.
  public init(probe: Probe, probeAfterMilliseconds: Int64, deadAfterMilliseconds: Int64) {
    self.probe = probe
    self.probeAfterMilliseconds = probeAfterMilliseconds
    self.deadAfterMilliseconds = deadAfterMilliseconds
  }
}
