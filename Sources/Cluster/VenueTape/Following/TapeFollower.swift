import FeedConnections
import MarketModel
import MarketStreams
import MessageBus
import NIOCore
import WireJSON

/// One attempt to follow a venue's tape, as a pure state machine; an end is the last event.
///
/// A follower starts from a checkpoint, applies every record once and in order, and stops at the
/// first error.
///
/// | state | pulse | record | checkpoint | silence |
/// |---|---|---|---|---|
/// | waiting | requests once a session is open there | kept | – | ends |
/// | joining | – | kept | opened; its messages; the kept ones since | ends |
/// | following | must name the latest record | delivered if next, else ends | delivered | ends |
///
/// Records of an epoch before the latest known one are dropped in every state, because a paused
/// reader may not have detected yet that another has taken over. If a reader of an earlier epoch
/// continues for longer than any lease lasts without renewal, and no other reader sends, it is the
/// reader: the broker has lost its store and counts from 1 again.
struct TapeFollower {
  enum Effect {
    case deliver(TransportEvent)
    /// Deliver the message of a record.
    case message(TapeRecord)
    /// Request a checkpoint from the reader, and pass in its reply and records.
    case ask(isWhole: Bool)
    /// Publish the wanted streams: a new reader may lack them.
    case sayWants
    case end(TapeProblem)
  }

  enum State: Equatable {
    case waiting
    case joining
    case following
    case ended
  }

  static let checkpointMilliseconds: Int64 = 2000
  /// The minimum interval between checkpoint requests while following, in milliseconds.
  static let askAgainMilliseconds: Int64 = 500
  /// How long a reader of an earlier epoch must be the only one to be accepted, in milliseconds:
  /// two leases.
  static let countsAnewMilliseconds: Int64 = 6000
  /// Records kept while joining.
  static let maximumKept = 65_536

  private(set) var state = State.waiting
  private(set) var epoch: UInt64 = 0
  /// Dropped records of earlier epochs.
  private(set) var fenced: UInt64 = 0
  /// The latest record applied to the session; 0 before it has joined.
  private(set) var number: UInt64 = 0
  private var latestPulse: (pulse: TapePulse, at: MonotonicTime)?
  /// The reader's last delivered response delay.
  private var toldDelay: Int64?
  /// The only reader, of an earlier epoch, and since when.
  private var earlier: (epoch: UInt64, since: MonotonicTime)?
  private let startedAt: MonotonicTime
  private let patienceMilliseconds: Int64
  private var kept: [TapeRecord] = []
  private var joiner = TapeJoiner()
  private var copy: [TapeRecord] = []
  private var askedAt: MonotonicTime?
  private var asksAgain = false
  private var lastAsked: MonotonicTime?
  /// A checkpoint ahead of the records.
  private var waitingCopy: (reply: CheckpointReply, records: [TapeRecord])?
  private var hasSnapshots = true

  /// Starts waiting for a reader with an open session.
  init(at now: MonotonicTime, patienceMilliseconds: Int64, epoch: UInt64) {
    startedAt = now
    self.patienceMilliseconds = patienceMilliseconds
    self.epoch = epoch
  }

  /// The response to a ping: the venue's, if the reader's connection works.
  func pong(at now: MonotonicTime) -> TransportEvent? {
    guard state == .following, let (pulse, at) = latestPulse, pulse.phase.isConnected,
      now.milliseconds(since: at) < BusPulse.deadMilliseconds
    else { return nil }
    return .pong(roundTripMicroseconds: pulse.roundTripMicroseconds)
  }

  /// The reader's estimate of the venue's clock at its latest pulse.
  var venueClock: ClockEstimate? { latestPulse?.pulse.venueClock }

  /// Whether there is a reader with an open session.
  var hasReader: Bool { state == .joining || state == .following }

  // MARK: Input

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
      // Both come from one process over one connection, so they arrive in order.
      if pulse.number != number { effects += end(.gap) }
    case .joining, .ended: break
    }
    return effects + tellDelay(pulse)
  }

  /// Data that is late at the reader is as late here.
  private mutating func tellDelay(_ pulse: TapePulse) -> [Effect] {
    guard hasReader, pulse.delayMilliseconds != toldDelay else { return [] }
    toldDelay = pulse.delayMilliseconds
    return [.deliver(.readerDelay(toldDelay))]
  }

  /// Whether a reader of an earlier epoch has been the only one for long enough.
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
      // Its wait here must not count as bus latency.
      var late = record
      late.times = nil
      kept.append(late)
      return kept.count > TapeFollower.maximumKept ? end(.gap) : []
    }
    return follow(record) + deliverWaitingCopy()
  }

  mutating func takeCopy(_ record: TapeRecord) -> [Effect] {
    guard askedAt != nil, record.epoch == epoch else { return [] }
    copy.append(record)
    return copy.count > TapeFollower.maximumKept ? end(.gap) : []
  }

  /// Receives the reply to ``Effect/ask(isWhole:)``; nil if missing or unreadable.
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

  /// The session has requested something that the tape may not bring by itself.
  mutating func sessionAsked(at now: MonotonicTime) {
    if hasSnapshots { asksAgain = true }
  }

  mutating func busIsDown(_ reason: String) -> [Effect] {
    state == .ended ? [] : end(.bus(reason))
  }

  /// Advances time; call a few times a second.
  mutating func timer(at now: MonotonicTime) -> [Effect] {
    guard state != .ended else { return [] }
    if state == .waiting {
      guard now.milliseconds(since: startedAt) >= patienceMilliseconds else { return [] }
      guard let (pulse, at) = latestPulse else {
        return end(.silent(milliseconds: now.milliseconds(since: startedAt)))
      }
      let silence = now.milliseconds(since: at)
      guard silence < BusPulse.deadMilliseconds else {
        return end(.silent(milliseconds: silence))
      }
      guard pulse.rejectsLocation, let reason = pulse.reason else {
        return end(.venue(pulse.reason))
      }
      return end(.rejected(reason))
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

  // MARK: Transitions

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

  private mutating func follow(_ record: TapeRecord) -> [Effect] {
    guard record.number == number &+ 1 else { return end(.gap) }
    number = record.number
    let whole: TapeRecord?
    do { whole = try joiner.take(record) } catch { return end(error) }
    guard let whole else { return [] }
    switch whole.kind {
    case .text, .binary, .stream: return [.message(whole)]
    case .closed: return end(.venue(Sentence(json: Array(whole.payload.readableBytesView))))
    // A session begins with a checkpoint; the first one of the epoch was requested too early.
    case .opened: return end(.gap)
    case .more: return end(.unreadable)
    }
  }

  /// Delivers a checkpoint right after the record whose state it contains.
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
