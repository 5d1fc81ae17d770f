// One venue's connection as its tape.

import FeedConnections
import MarketModel
import MarketStreams
import MessageBus
import NIOCore
import VenueProtocols

/// Publishes what a connection brings; on the bus's loop.
final class VenueTapeWriter {
  let venue: Venue
  /// Until when the lease is ours; nil while it is not.
  ///
  /// Looked at before each record: a process that was paused learns late that it is over.
  var heldUntil: MonotonicTime?
  /// How the connection is, as the hub says it.
  var status: ConnectionStatus?
  /// What the venue's answers say of its clock.
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

  /// It is ours to write from now on.
  func begin(_ epoch: UInt64) {
    self.epoch = epoch
    number = 0
  }

  /// It is ours no more.
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
    let reason = ForeignText.clean(status?.reason ?? "")
    publish(.closed, ByteBuffer(string: reason), read: now.monotonic)
  }

  // MARK: What is published

  /// What of a message goes into one record, in bytes.
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
      epoch: epoch, number: number, isOpen: origin != nil, phase: status.phase,
      origin: origin ?? status.origin, roundTripMicroseconds: status.roundTripMicroseconds,
      delayMilliseconds: status.delayMilliseconds, venueClock: venueClock,
      reason: status.reason ?? "")
    bus.publish(subjects.pulse, pulse.bytes)
  }

  /// This moment by the monotonic clock and by the reader's own.
  var reading: ClockReading {
    let now = clock.now().monotonic
    return ClockReading(monotonic: now, wall: readerClock.time(at: now))
  }

  /// Says what the time is here; nil while the venue is another's to read.
  func time() -> ReaderTimeReply? {
    let now = clock.now().monotonic
    guard let epoch, isHeld(at: now) else { return nil }
    let got = MonotonicTime(nanoseconds: now.nanoseconds - max(0, bus.nanosecondsSinceRead))
    return ReaderTimeReply(
      epoch: epoch, got: readerClock.time(at: got), answered: readerClock.time(at: now))
  }

  /// Publishes what the session knows for one server, and says how much that was.
  ///
  /// - Parameters:
  ///   - snapshots: nil where the venue has none: then its greeting is all.
  ///   - isWhole: whether it is to start a session.
  ///   - server: for whom.
  /// - Returns: nil while there is no session to tell of.
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
