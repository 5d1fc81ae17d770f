// From a reader's tape to the events of a transport, as a pure state machine: a follower starts
// from a checkpoint, takes every record once and in order, and stops at the first thing that is
// wrong.

import FeedConnections
import MarketModel
import MarketStreams
import MessageBus
import NIOCore

/// One attempt to follow a venue's tape; after ``Effect/deliver(_:)`` of an end nothing follows.
///
/// | state | pulse | record | checkpoint | silence |
/// |---|---|---|---|---|
/// | waiting | asks once a session is open there | kept | – | ends |
/// | joining | – | kept | opened; its messages; what was kept since | ends |
/// | following | has to name the latest record | delivered if next, else ends | delivered | ends |
///
/// Records of an epoch before the latest one heard of are dropped in every state: a reader that was
/// paused and does not know yet that another has taken over is not heard. One that goes on for
/// longer than any lease can stand without being renewed, while nobody else speaks, is the reader:
/// the broker has lost its memory, and counts anew.
struct TapeFollower {
  enum Effect {
    case deliver(TransportEvent)
    /// Deliver the message of a record.
    case message(TapeRecord)
    /// Ask the reader for a checkpoint, and hand its answer and its records in.
    case ask(isWhole: Bool)
    /// Say what is wanted: there is a reader that may not know it.
    case sayWants
    case end(TapeProblem)
  }

  enum State: Equatable {
    case waiting
    case joining
    case following
    case ended
  }

  /// How long a checkpoint may take, in milliseconds.
  static let checkpointMilliseconds: Int64 = 2000
  /// Between two checkpoints that are asked for while following, in milliseconds.
  static let askAgainMilliseconds: Int64 = 500
  /// How long a reader of an earlier epoch has to be heard alone to be believed, in milliseconds:
  /// twice as long as a lease.
  static let countsAnewMilliseconds: Int64 = 6000
  /// Records kept while joining.
  static let maximumKept = 65_536

  private(set) var state = State.waiting
  /// The latest epoch heard of.
  private(set) var epoch: UInt64 = 0
  /// Records of earlier epochs that were dropped.
  private(set) var fenced: UInt64 = 0
  /// The latest record whose effects the session has; 0 before it has joined.
  private(set) var number: UInt64 = 0
  private var latestPulse: (pulse: TapePulse, at: MonotonicTime)?
  /// How long answers take the reader, as it was told.
  private var toldDelay: Int64?
  /// A reader of an earlier epoch that alone is heard, and since when.
  private var earlier: (epoch: UInt64, since: MonotonicTime)?
  private let startedAt: MonotonicTime
  private let patienceMilliseconds: Int64
  private var kept: [TapeRecord] = []
  private var joiner = TapeJoiner()
  private var copy: [TapeRecord] = []
  private var askedAt: MonotonicTime?
  private var asksAgain = false
  private var lastAsked: MonotonicTime?
  /// A checkpoint that is ahead of the records.
  private var waitingCopy: (reply: CheckpointReply, records: [TapeRecord])?
  private var hasSnapshots = true

  /// Starts to wait for a reader whose session is open, with this patience.
  init(at now: MonotonicTime, patienceMilliseconds: Int64, epoch: UInt64) {
    startedAt = now
    self.patienceMilliseconds = patienceMilliseconds
    self.epoch = epoch
  }

  /// The answer to a ping: the venue's, where the reader's own connection is well.
  func pong(at now: MonotonicTime) -> TransportEvent? {
    guard state == .following, let (pulse, at) = latestPulse, pulse.phase.isConnected,
      now.milliseconds(since: at) < BusPulse.deadMilliseconds
    else { return nil }
    return .pong(roundTripMicroseconds: pulse.roundTripMicroseconds)
  }

  /// What the reader knew of the venue's clock at its latest pulse.
  var venueClock: ClockEstimate? { latestPulse?.pulse.venueClock }

  /// Whether a reader is heard whose session is open.
  var hasReader: Bool { state == .joining || state == .following }

  // MARK: What comes

  mutating func take(_ pulse: TapePulse, at now: MonotonicTime) -> [Effect] {
    guard state != .ended, pulse.epoch >= epoch || countsAnew(pulse, at: now) else { return [] }
    earlier = nil
    let isNew = latestPulse?.pulse.epoch != pulse.epoch
    if pulse.epoch > epoch, state != .waiting { return end(.changed) }
    epoch = pulse.epoch
    latestPulse = (pulse, now)
    var effects: [Effect] = isNew ? [.sayWants] : []
    switch state {
    case .waiting:
      guard pulse.isOpen else { break }
      state = .joining
      kept.removeAll { $0.epoch != epoch }
      effects += [
        .deliver(.connected), .deliver(.accepted(pulse.origin)), ask(isWhole: true, at: now),
      ]
    case .following:
      // Both come from one process over one connection: nothing overtakes.
      if pulse.number != number { effects += end(.gap) }
    case .joining, .ended: break
    }
    return effects + tellDelay(pulse)
  }

  /// What is long on its way to the reader is as long on its way to here.
  private mutating func tellDelay(_ pulse: TapePulse) -> [Effect] {
    guard hasReader, pulse.delayMilliseconds != toldDelay else { return [] }
    toldDelay = pulse.delayMilliseconds
    return [.deliver(.readerDelay(toldDelay))]
  }

  /// Whether a reader of an earlier epoch is the only one, and has been for long enough.
  private mutating func countsAnew(_ pulse: TapePulse, at now: MonotonicTime) -> Bool {
    guard state == .waiting, latestPulse == nil else { return false }
    guard let earlier, earlier.epoch == pulse.epoch else {
      self.earlier = (pulse.epoch, now)
      return false
    }
    return now.milliseconds(since: earlier.since) >= TapeFollower.countsAnewMilliseconds
  }

  mutating func take(_ record: TapeRecord, at now: MonotonicTime) -> [Effect] {
    guard state != .ended else { return [] }
    guard record.epoch >= epoch else {
      fenced += 1
      return []
    }
    if record.epoch > epoch {
      guard state == .waiting else { return end(.changed) }
      epoch = record.epoch
      kept = []
    }
    guard state == .following else {
      // How long it waits here is no time of the bus.
      var late = record
      late.times = nil
      kept.append(late)
      return kept.count > TapeFollower.maximumKept ? end(.gap) : []
    }
    return follow(record) + deliverWaitingCopy()
  }

  /// A record of a checkpoint.
  mutating func takeCopy(_ record: TapeRecord) -> [Effect] {
    guard askedAt != nil, record.epoch == epoch else { return [] }
    copy.append(record)
    return copy.count > TapeFollower.maximumKept ? end(.gap) : []
  }

  /// The answer to ``Effect/ask(isWhole:)``; nil where none came or it can't be read.
  mutating func take(_ reply: CheckpointReply?, at now: MonotonicTime) -> [Effect] {
    guard state != .ended, askedAt != nil else { return [] }
    askedAt = nil
    let records = copy
    copy = []
    guard let reply, reply.epoch == epoch, reply.count == records.count else {
      if state == .joining { return end(.noCheckpoint) }
      asksAgain = true
      return []
    }
    hasSnapshots = reply.hasSnapshots
    if state == .joining { return join(reply, records) }
    waitingCopy = (reply, records)
    return deliverWaitingCopy()
  }

  /// The session has asked the venue for something that the tape may not bring by itself.
  mutating func sessionAsked(at now: MonotonicTime) {
    if hasSnapshots { asksAgain = true }
  }

  mutating func busIsDown(_ reason: String) -> [Effect] {
    state == .ended ? [] : end(.bus(reason))
  }

  /// Lets time pass; to be called a few times a second.
  mutating func timer(at now: MonotonicTime) -> [Effect] {
    guard state != .ended else { return [] }
    if state == .waiting {
      guard now.milliseconds(since: startedAt) >= patienceMilliseconds else { return [] }
      guard let (pulse, at) = latestPulse else {
        return end(.silent(milliseconds: now.milliseconds(since: startedAt)))
      }
      let silence = now.milliseconds(since: at)
      return end(
        silence >= BusPulse.deadMilliseconds
          ? .silent(milliseconds: silence) : .venue(pulse.reason))
    }
    if let (_, at) = latestPulse, now.milliseconds(since: at) >= BusPulse.deadMilliseconds {
      return end(.silent(milliseconds: now.milliseconds(since: at)))
    }
    if let askedAt {
      let isLate = now.milliseconds(since: askedAt) >= TapeFollower.checkpointMilliseconds
      return isLate && state == .joining ? end(.noCheckpoint) : []
    }
    guard state == .following, asksAgain, waitingCopy == nil,
      lastAsked.map({ now.milliseconds(since: $0) >= TapeFollower.askAgainMilliseconds }) ?? true
    else { return [] }
    asksAgain = false
    return [ask(isWhole: false, at: now)]
  }

  // MARK: What becomes of it

  private mutating func ask(isWhole: Bool, at now: MonotonicTime) -> Effect {
    askedAt = now
    lastAsked = now
    copy = []
    return .ask(isWhole: isWhole)
  }

  private mutating func join(_ reply: CheckpointReply, _ records: [TapeRecord]) -> [Effect] {
    state = .following
    number = reply.number
    var effects: [Effect] = [.deliver(.opened)]
    effects += deliver(records)
    let later = kept
    kept = []
    for record in later where record.number > reply.number {
      effects += follow(record)
      if state == .ended { break }
    }
    return effects
  }

  /// Takes the next record.
  private mutating func follow(_ record: TapeRecord) -> [Effect] {
    guard record.number == number &+ 1 else { return end(.gap) }
    number = record.number
    let whole: TapeRecord?
    do { whole = try joiner.take(record) } catch { return end(error) }
    guard let whole else { return [] }
    switch whole.kind {
    case .text, .binary, .stream: return [.message(whole)]
    case .closed: return end(.venue(ForeignText.clean(String(buffer: whole.payload))))
    // A session begins with a checkpoint; the first one of the epoch was asked for too early.
    case .opened: return end(.gap)
    case .more: return end(.unreadable)
    }
  }

  /// A checkpoint is the state after a record: it is delivered right after that one.
  private mutating func deliverWaitingCopy() -> [Effect] {
    guard state == .following, let (reply, records) = waitingCopy, number >= reply.number else {
      return []
    }
    waitingCopy = nil
    guard number == reply.number, !joiner.isWaiting else {
      asksAgain = true
      return []
    }
    return deliver(records)
  }

  private mutating func deliver(_ records: [TapeRecord]) -> [Effect] {
    var pieces = TapeJoiner()
    var effects: [Effect] = []
    for record in records {
      do throws(TapeProblem) {
        if let whole = try pieces.take(record) { effects.append(.message(whole)) }
      } catch {
        return effects + end(error)
      }
    }
    return effects
  }

  private mutating func end(_ problem: TapeProblem) -> [Effect] {
    state = .ended
    (kept, copy, waitingCopy) = ([], [], nil)
    return [.end(problem)]
  }
}
