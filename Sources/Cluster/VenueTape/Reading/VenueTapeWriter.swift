import FeedConnections
import MarketModel
import MarketStreams
import MessageBus
import NIOCore
import VenueProtocols
import WireJSON

/// Publishes a venue connection's messages as its tape; on the bus's loop.
final class VenueTapeWriter {
  let venue: Venue
  /// The expiry of the lease; nil without it.
  ///
  /// Checked before each record, because a paused process detects the loss late.
  var heldUntil: MonotonicTime?
  var status: ConnectionStatus?
  /// The venue's clock, estimated from its responses.
  var venueClock: ClockEstimate?

  private let subjects: TapeSubjects
  private let bus: any MessageBus
  private let clock: HubClock
  private let readerClock: ReaderClock
  private var epoch: UInt64?
  private var number: UInt64 = 0
  private var origin: DataOrigin?
  private var greeting: [(kind: TapeRecord.Kind, payload: ByteBuffer)] = []
  private var lines = StreamLines()

  init(_ venue: Venue, bus: any MessageBus, clock: HubClock) {
    self.venue = venue
    self.bus = bus
    self.clock = clock
    readerClock = ReaderClock(setBy: clock.now())
    subjects = TapeSubjects(venue)
  }

  func isHeld(at now: MonotonicTime) -> Bool { heldUntil.map { now < $0 } ?? false }

  func begin(_ epoch: UInt64) {
    self.epoch = epoch
    number = 0
  }

  func end() { epoch = nil }

  // MARK: The connection

  func opened(_ origin: DataOrigin, at now: ClockReading) {
    self.origin = origin
    greeting = []
    lines = StreamLines()
    publish(.opened, ByteBuffer(string: origin.rawValue), read: now.monotonic)
    pulse()
  }

  func heard(_ message: HeardMessage, at now: ClockReading) {
    let read = MonotonicTime(
      nanoseconds: now.monotonic.nanoseconds - message.nanosecondsSinceRead)
    switch message.kind {
    case .stream:
      if let whole = lines.take(message.payload) { publish(.stream, whole, read: read) }
    case .text: publish(.text, message.payload, read: read)
    case .binary: publish(.binary, message.payload, read: read)
    }
    guard message.isGreeting, message.kind != .stream else { return }
    greeting.append((message.kind == .text ? .text : .binary, message.payload))
  }

  func closed(at now: ClockReading) {
    guard origin != nil else { return }
    origin = nil
    publish(
      .closed, ByteBuffer(string: status?.reason?.jsonText ?? ""), read: now.monotonic)
  }

  // MARK: Publishing

  /// The maximum bytes of a message in one record.
  var pieceBytes: Int {
    let header = max(TapeRecord.maximumHeaderBytes, AnswerRecord.maximumHeaderBytes)
    return max(1024, min(bus.maximumPayloadBytes, 512 << 10) - header)
  }

  private func publish(_ kind: TapeRecord.Kind, _ payload: ByteBuffer, read: MonotonicTime) {
    let now = clock.now().monotonic
    guard let epoch, isHeld(at: now) else { return }
    let times = readerClock.times(read: read, published: now)
    for piece in TapePieces.cut(payload, kind, maximumBytes: pieceBytes) {
      number += 1
      let record = TapeRecord(
        epoch: epoch, number: number, kind: piece.kind, times: times, payload: piece.payload)
      bus.publish(subjects.tape, record.bytes)
    }
  }

  func pulse() {
    let now = clock.now().monotonic
    guard let epoch, let status, isHeld(at: now) else { return }
    let pulse = TapePulse(
      epoch: epoch, number: number, isOpen: origin != nil,
      rejectsLocation: status.rejectsLocation, phase: status.phase,
      origin: origin ?? status.origin, roundTripMicroseconds: status.roundTripMicroseconds,
      delayMilliseconds: status.delayMilliseconds, venueClock: venueClock,
      reason: status.reason)
    bus.publish(subjects.pulse, pulse.bytes)
  }

  /// The current time by the monotonic clock and by the reader's own.
  var reading: ClockReading {
    let now = clock.now().monotonic
    return ClockReading(monotonic: now, wall: readerClock.time(at: now))
  }

  /// The reader's time; nil without the lease.
  func time() -> ReaderTimeReply? {
    let now = clock.now().monotonic
    guard let epoch, isHeld(at: now) else { return nil }
    let got = MonotonicTime(nanoseconds: now.nanoseconds - max(0, bus.nanosecondsSinceRead))
    return ReaderTimeReply(
      epoch: epoch, got: readerClock.time(at: got), answered: readerClock.time(at: now))
  }

  /// Publishes the session's state for one server.
  ///
  /// - Parameters:
  ///   - snapshots: nil if the venue has none; its greeting is everything then.
  ///   - isWhole: whether it starts a session.
  ///   - server: the receiver.
  /// - Returns: the number of records; nil without a session.
  func copy(
    _ snapshots: [OutboundMessage]?, isWhole: Bool, for server: ServerName
  ) -> CheckpointReply? {
    guard let epoch, origin != nil, isHeld(at: clock.now().monotonic) else { return nil }
    let messages =
      snapshots.map { $0.map { (TapeRecord.Kind.text, ByteBuffer(bytes: $0.bytes)) } }
      ?? (isWhole ? greeting.map { ($0.kind, $0.payload) } : [])
    var count = 0
    for (kind, payload) in messages {
      for piece in TapePieces.cut(payload, kind, maximumBytes: pieceBytes) {
        count += 1
        let record = TapeRecord(
          epoch: epoch, number: number, kind: piece.kind, payload: piece.payload)
        bus.publish(subjects.copy(for: server), record.bytes)
      }
    }
    return CheckpointReply(
      epoch: epoch, number: number, count: count, hasSnapshots: snapshots != nil)
  }
}
