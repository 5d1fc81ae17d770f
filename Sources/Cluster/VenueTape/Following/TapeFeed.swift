package import FeedConnections
package import MarketModel
import MarketStreams
package import MessageBus
import NIOCore
import VenueProtocols

/// The tapes that one server follows; creates the transports of its feed hub instead of sockets.
package final class TapeFollowing: Sendable {
  /// How long a session's first attempt waits for a reader before that is reported.
  static let firstPatienceMilliseconds: Int64 = 1000
  /// Later attempts wait longer: the reason has already been reported.
  static let laterPatienceMilliseconds: Int64 = 30_000

  let bus: any MessageBus
  let server: ServerName
  let clock: HubClock
  /// State kept per venue between attempts.
  fileprivate let memories: NIOLoopBoundBox<[Venue: TapeMemory]>

  /// Follows over a bus, whose loop must be the hub's.
  package init(bus: any MessageBus, server: ServerName, clock: HubClock) {
    self.bus = bus
    self.server = server
    self.clock = clock
    memories = NIOLoopBoundBox.makeBoxSendingValue([:], eventLoop: bus.eventLoop)
  }

  /// A venue's latest accepted epoch; on the bus's loop.
  func epoch(of venue: Venue) -> UInt64 { memories.value[venue]?.epoch ?? 0 }

  /// Opens transports: ``FeedConnections/FeedConnector``.
  ///
  /// Other venues use `sockets`.
  package func connector(
    following venues: Set<Venue>, sockets: @escaping FeedConnector = SocketFeed.connector
  ) -> FeedConnector {
    { [self] request, loop, deliver in
      guard venues.contains(request.venue) else { return sockets(request, loop, deliver) }
      return TapeFeed(self, request.venue, deliver)
    }
  }
}

private struct TapeMemory {
  /// Smaller epochs are ignored.
  var epoch: UInt64 = 0
  var endedAt: MonotonicTime?
}

/// One attempt to follow a venue, on the bus's loop.
final class TapeFeed: FeedTransport {
  /// The precision of detecting silence, in milliseconds.
  static let tickMilliseconds: Int64 = 50
  /// The interval of time requests to the reader, in milliseconds.
  static let timeMilliseconds: Int64 = 1000

  private let following: TapeFollowing
  private let venue: Venue
  private let subjects: TapeSubjects
  private var deliver: ((TransportEvent) -> Void)?
  private var follower: TapeFollower
  private var wants: Set<Subscription> = []
  private var saidAt: MonotonicTime?
  private var timeAskedAt: MonotonicTime?
  /// The record whose message is being delivered.
  private var inHand: TapeRecord?
  private var subscriptions: [BusSubscription] = []
  private var timer: LoopTimer?

  fileprivate init(
    _ following: TapeFollowing, _ venue: Venue, _ deliver: @escaping (TransportEvent) -> Void
  ) {
    self.following = following
    self.venue = venue
    self.deliver = deliver
    subjects = TapeSubjects(venue)
    let now = following.clock.now().monotonic
    let memory = following.memories.value[venue] ?? TapeMemory()
    let isRecent =
      memory.endedAt.map {
        now.milliseconds(since: $0) < TapeFollowing.laterPatienceMilliseconds
      } ?? false
    follower = TapeFollower(
      at: now,
      patienceMilliseconds: isRecent
        ? TapeFollowing.laterPatienceMilliseconds : TapeFollowing.firstPatienceMilliseconds,
      epoch: memory.epoch)
    listen()
  }

  private func listen() {
    let bus = following.bus
    subscriptions = [
      bus.subscribe(subjects.copy(for: following.server)) { [weak self] message in
        guard let self else { return }
        guard let record = TapeRecord(message.payload) else { return }
        perform(follower.takeCopy(record))
      },
      bus.subscribe(subjects.tape) { [weak self] message in
        guard let self, let record = TapeRecord(message.payload) else { return }
        perform(follower.take(record, at: now))
      },
      bus.subscribe(subjects.pulse) { [weak self] message in
        guard let self, let pulse = TapePulse(message.payload) else { return }
        let effects = follower.take(pulse, at: now)
        following.memories.value[venue, default: TapeMemory()].epoch = follower.epoch
        perform(effects)
      },
      bus.observeLink { [weak self] link in
        guard let self, case .down(let reason) = link else { return }
        perform(follower.busIsDown(reason))
      },
    ]
    timer = LoopTimer(every: TapeFeed.tickMilliseconds, on: bus.eventLoop) { [weak self] in
      guard let self else { return }
      repeatWants()
      askTime()
      perform(follower.timer(at: now))
    }
  }

  private var now: MonotonicTime { following.clock.now().monotonic }

  private func perform(_ effects: [TapeFollower.Effect]) {
    for effect in effects {
      switch effect {
      case .deliver(let event): deliver?(event)
      case .message(let record):
        inHand = record
        deliver?(.message(record.payload, record.messageKind))
        inHand = nil
      case .ask(let isWhole): ask(isWhole: isWhole)
      case .sayWants: sayWants()
      case .end(let problem): end(ReaderProblem(problem))
      }
    }
  }

  private func ask(isWhole: Bool) {
    let question = TapeWants(server: following.server, isWhole: isWhole, streams: wants)
    following.bus.request(
      subjects.ask, question.bytes, timeoutMilliseconds: TapeFollower.checkpointMilliseconds
    ).assumeIsolated().whenComplete { [weak self] result in
      guard let self else { return }
      let reply = (try? result.get()).flatMap { CheckpointReply($0) }
      perform(follower.take(reply, at: now))
    }
  }

  private func askTime() {
    let sent = now
    let isDue =
      timeAskedAt.map { sent.milliseconds(since: $0) >= TapeFeed.timeMilliseconds } ?? true
    guard follower.hasReader, isDue else { return }
    timeAskedAt = sent
    let bus = following.bus
    bus.request(subjects.time, ByteBuffer(), timeoutMilliseconds: TapeFeed.timeMilliseconds)
      .assumeIsolated().whenSuccess { [weak self] bytes in
        guard let self, let reply = ReaderTimeReply(bytes), follower.hasReader,
          reply.epoch == follower.epoch
        else { return }
        let received = now.nanoseconds - max(0, bus.nanosecondsSinceRead)
        deliver?(
          .readerTime(
            ReaderTime(
              epoch: reply.epoch, sent: sent, got: reply.got, answered: reply.answered,
              received: MonotonicTime(nanoseconds: received))))
      }
  }

  private func sayWants() {
    saidAt = now
    following.bus.publish(subjects.want, TapeWants(server: following.server, streams: wants).bytes)
  }

  private func repeatWants() {
    guard let saidAt, now.milliseconds(since: saidAt) < WantBoard.repeatMilliseconds else {
      return sayWants()
    }
  }

  private func end(_ problem: ReaderProblem) {
    let last = deliver
    letGo()
    last?(.ended(.reader(problem)))
  }

  private func letGo() {
    following.memories.value[venue] = TapeMemory(epoch: follower.epoch, endedAt: now)
    deliver = nil
    timer = nil
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
  }

  // MARK: Message origin

  var nanosecondsSinceRead: Int64 { following.bus.nanosecondsSinceRead }

  var way: MessageWay {
    guard let record = inHand, let times = record.times else { return .copied }
    return .relayed(
      RelayedMessage(
        epoch: record.epoch, read: Timestamp(nanoseconds: times.read * 1000),
        held: times.held * 1000, venueClock: follower.venueClock))
  }

  // MARK: Requests of the session

  /// Only a reader sends to a venue; a session's subscribe message becomes a request to the reader.
  func send(_ message: OutboundMessage) {
    let asks =
      message.bytes.count < TapeWants.maximumBytes
      && String(decoding: message.bytes, as: UTF8.self).lowercased().contains("\"subscribe\"")
    if asks { follower.sessionAsked(at: now) }
  }

  /// The reader makes the request; its response comes with the tape, or with a new checkpoint.
  func fetch(_ request: FetchRequest) { follower.sessionAsked(at: now) }

  func want(_ subscriptions: Set<Subscription>) {
    let bounded = TapeWants.bounded(subscriptions, keeping: wants)
    guard bounded != wants || saidAt == nil else { return }
    wants = bounded
    sayWants()
    follower.sessionAsked(at: now)
  }

  func ping() {
    guard let pong = follower.pong(at: now) else { return }
    following.bus.eventLoop.assumeIsolated().execute { [weak self] in self?.deliver?(pong) }
  }

  func close(code: UInt16, reason: String) -> EventLoopFuture<Void> {
    if deliver != nil { letGo() }
    return following.bus.eventLoop.makeSucceededVoidFuture()
  }
}

extension TapeRecord {
  fileprivate var messageKind: MessageKind {
    switch kind {
    case .stream: .stream
    case .binary: .binary
    default: .text
    }
  }
}

extension ReaderProblem {
  fileprivate init(_ problem: TapeProblem) {
    self =
      switch problem {
      case .silent(let milliseconds): .silent(milliseconds: milliseconds)
      case .changed: .changed
      case .gap, .noCheckpoint, .unreadable: .incomplete
      case .venue(let reason): .venue(reason)
      case .rejected(let reason): .rejected(reason)
      case .bus(let reason): .bus(reason)
      }
  }
}
