import Logging
import MarketModel
import MarketStreams
import NIOCore
import VenueProtocols

/// The state of ``FeedHub``; used on its event loop only, so nothing is locked.
final class HubCore {
  /// The interval of session timers and freshness updates, in milliseconds.
  static let tickMilliseconds: Int64 = 250
  /// The most unobserved streams kept while their venue is down.
  static let maximumLingering = 256
  /// A pause between two ticks that means a sleep of the machine or a pause of the process.
  static let jumpMilliseconds: Int64 = 2000
  /// A pause after which freshness is updated before values are delivered.
  static let overdueMilliseconds: Int64 = 1000

  private let loop: any EventLoop
  private let clock: HubClock
  /// How long subscriptions are collected before they are sent, in milliseconds.
  private let gatherMilliseconds: Int64
  private let venues: [Venue: VenueRuntime]
  private var ledgers: [Venue: SubscriptionLedger] = [:]

  private var observers = ObserverTable()
  private var statusObservers: [UInt64: @Sendable (ConnectionStatus) -> Void] = [:]
  private var lastValues: [MarketKey: MarketValue] = [:]
  private var lastStatuses: [Venue: ConnectionStatus] = [:]

  private var dirty: Set<MarketKey> = []
  /// Streams whose delivery is measured, and the messages that began the frame.
  private var measured: Set<MarketKey> = []
  private var stamps: [MessageStamp] = []
  private var unsettled: Set<Venue> = []
  /// Venues with a timer for the end of the next lingering stream.
  private var expiring: Set<Venue> = []
  private var isSettleScheduled = false
  private var pacer: FramePacer
  private var nextTick: NIODeadline?
  private var lastTick: MonotonicTime?
  /// How often a tick was overdue.
  private var pauses: UInt64 = 0
  private var isShutDown = false

  init(
    venues: [VenueRuntime], loop: any EventLoop, clock: HubClock, frameMilliseconds: Int64,
    lingerMilliseconds: Int64
  ) {
    self.loop = loop
    self.clock = clock
    gatherMilliseconds = max(0, frameMilliseconds)
    pacer = FramePacer(intervalMilliseconds: frameMilliseconds)
    self.venues = Dictionary(venues.map { ($0.name, $0) }) { first, _ in first }
    for name in self.venues.keys {
      ledgers[name] = SubscriptionLedger(lingerMilliseconds: lingerMilliseconds)
    }
  }

  /// Connects the venues to this hub and starts its timer; once, before anything else.
  func begin() {
    for (name, venue) in venues {
      venue.outlet = VenueRuntime.Outlet(
        changed: { [unowned self] in markChanged(MarketKey(name, $0)) },
        happened: { [unowned self] in tell($1, of: MarketKey(name, $0), at: $2) },
        everythingChanged: { [unowned self] in markAllChanged(name) },
        phaseChanged: { [unowned self] in
          report($0)
          expire($0.venue)
        },
        opening: { [unowned self] in letGo(of: name) },
        reading: { [unowned self] in _ = catchUp() })
    }
    scheduleTick()
  }

  // MARK: Commands

  func handle(_ event: ConnectionStateMachine.Event, at venue: Venue?) {
    guard !isShutDown else { return }
    if let venue {
      venues[venue]?.handle(event)
    } else {
      for name in venues.keys.sorted() { venues[name]?.handle(event) }
    }
  }

  var traffic: [Venue: VenueTraffic] { venues.mapValues(\.traffic) }

  func venue(_ name: Venue) -> VenueRuntime? { isShutDown ? nil : venues[name] }

  /// In the order of ``FeedHub/venues``.
  func latency(of names: [Venue]) -> [LatencyReport] {
    let now = clock.now()
    return names.compactMap { venue($0)?.ladder.report(at: now) }
  }

  func record(_ rung: LatencyRung, _ nanoseconds: Int64, within: Int64?, of name: Venue) {
    venue(name)?.ladder.record(rung, nanoseconds, within: within, at: clock.now().monotonic)
  }

  func shutdown() -> EventLoopFuture<Void> {
    guard !isShutDown else { return loop.makeSucceededVoidFuture() }
    let gone = venues.keys.sorted().compactMap { venues[$0]?.shutdown() }
    for status in venues.values.map(\.status) { report(status) }
    isShutDown = true
    observers.removeAll()
    statusObservers = [:]
    return .andAllComplete(gone, on: loop)
  }
}

// MARK: - Observers

extension HubCore {
  func observe(
    _ keys: Set<MarketKey>, id: UInt64, isMeasured: Bool = false, _ handler: ObserverTable.Handler
  ) {
    guard !isShutDown else { return }
    let known = keys.filter { venues[$0.venue] != nil }
    if isMeasured { measured.formUnion(known) }
    observers.add(id, ObserverTable.Observer(keys: known, handler: handler))
    for key in known {
      if ledgers[key.venue]?.add(key.subscription) == true { unsettle(key.venue) }
    }
    welcome(id)
  }

  func observeConnections(id: UInt64, _ handler: @escaping @Sendable (ConnectionStatus) -> Void) {
    guard !isShutDown else { return }
    statusObservers[id] = handler
    for name in venues.keys.sorted() {
      if let status = venues[name]?.status { handler(status) }
    }
  }

  func cancel(_ id: UInt64) {
    statusObservers[id] = nil
    guard let observer = observers.remove(id) else { return }
    let now = clock.now().monotonic
    for key in observer.keys {
      if !observers.areValuesWanted(of: key) {
        lastValues[key] = nil
        measured.remove(key)
        dirty.remove(key)
      }
      if ledgers[key.venue]?.remove(key.subscription, at: now) == true { expireLater(key.venue) }
    }
  }

  private func unsettle(_ venue: Venue) {
    unsettled.insert(venue)
    scheduleSettling()
  }

  /// Subscriptions within one frame become one request to the venue.
  private func scheduleSettling() {
    guard !isSettleScheduled else { return }
    isSettleScheduled = true
    loop.assumeIsolated().scheduleTask(in: .milliseconds(gatherMilliseconds)) { [weak self] in
      self?.settle()
    }
  }

  private func settle() {
    isSettleScheduled = false
    guard !isShutDown else { return }
    let changed = unsettled.sorted()
    unsettled = []
    for name in changed {
      guard let ledger = ledgers[name] else { continue }
      venues[name]?.want(ledger.wanted)
      // A session may have a stream only since its subscription.
      for key in observers.keys where key.venue == name { judgeAnew(key) }
    }
  }

  private func welcome(_ id: UInt64) {
    guard let observer = observers[id] else { return }
    for key in observer.keys.sorted(by: { $0.subscription < $1.subscription }) {
      switch observer.handler {
      case .events: break
      case .changes(let handler): handler(key)
      case .values(let handler):
        guard let value = value(of: key) else { continue }
        if lastValues[key] == value || observers.count(of: key) == 1 {
          lastValues[key] = value
          handler(key, value)
        } else {
          deliver(value, key)
        }
      }
    }
  }

  private func expireLater(_ venue: Venue) {
    guard let deadline = ledgers[venue]?.deadline, expiring.insert(venue).inserted else { return }
    let delay = deadline.nanoseconds - clock.now().monotonic.nanoseconds
    loop.assumeIsolated().scheduleTask(in: .nanoseconds(max(0, delay))) { [weak self] in
      self?.expiring.remove(venue)
      self?.expire(venue)
    }
  }

  /// Subscribes a new connection to observed streams only.
  private func letGo(of venue: Venue) {
    _ = ledgers[venue]?.expire(at: clock.now().monotonic)
    if let ledger = ledgers[venue] { venues[venue]?.want(ledger.wanted) }
  }

  /// Ends lingering streams; while the venue is down only the oldest beyond ``maximumLingering``.
  ///
  /// They could not be fetched again, and a page opened meanwhile shows their last values.
  private func expire(_ venue: Venue) {
    guard !isShutDown, let phase = venues[venue]?.status.phase else { return }
    let kept = phase.isConnected ? 0 : HubCore.maximumLingering
    if ledgers[venue]?.expire(at: clock.now().monotonic, keeping: kept) == true { unsettle(venue) }
    // The remaining ones have not lingered long enough.
    if let ledger = ledgers[venue], ledger.lingerCount > kept { expireLater(venue) }
  }
}

// MARK: - Frames and ticks

extension HubCore {
  func value(of key: MarketKey) -> MarketValue? { venue(key.venue)?.value(for: key.subscription) }

  private func markChanged(_ key: MarketKey) {
    var areValuesWanted = false
    for handler in observers.handlers(of: key) {
      switch handler {
      case .values: areValuesWanted = true
      case .changes(let handler): handler(key)
      case .events: break
      }
    }
    guard areValuesWanted else { return }
    if dirty.insert(key).inserted, !measured.isEmpty, measured.contains(key),
      let stamp = venues[key.venue]?.measure()
    {
      stamps.append(stamp)
    }
    scheduleFlush()
  }

  private func markAllChanged(_ venue: Venue) {
    for key in observers.keys where key.venue == venue { markChanged(key) }
  }

  private func scheduleFlush() {
    // A pending flush needs no clock read per message.
    guard pacer.due == nil else { return }
    let now = loop.now
    switch pacer.changed(at: MonotonicTime(now)) {
    case .scheduled: break
    // After everything else from this socket read.
    case .now: loop.assumeIsolated().execute { [weak self] in self?.flush() }
    case .at(let time):
      let deadline = now + .nanoseconds(time.nanoseconds - MonotonicTime(now).nanoseconds)
      loop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in self?.flush() }
    }
  }

  private func flush() {
    guard !isShutDown else { return }
    pacer.frameSent(at: MonotonicTime(loop.now))
    let keys = dirty
    dirty = []
    for key in keys { deliverIfChanged(key) }
    guard !stamps.isEmpty else { return }
    let now = clock.now().monotonic
    for stamp in stamps {
      let nanoseconds = now.nanoseconds - stamp.decoded.nanoseconds
      venues[stamp.venue]?.ladder.record(.state, nanoseconds, at: now)
    }
    stamps = []
  }

  /// For changes without a message: also notifies observers that read values themselves.
  private func judgeAnew(_ key: MarketKey) {
    for case .changes(let handler) in observers.handlers(of: key) { handler(key) }
    deliverIfChanged(key)
  }

  private func deliverIfChanged(_ key: MarketKey) {
    guard observers.areValuesWanted(of: key), let value = value(of: key),
      value != lastValues[key]
    else { return }
    deliver(value, key)
  }

  private func deliver(_ value: MarketValue, _ key: MarketKey) {
    lastValues[key] = value
    for case .values(let handler) in observers.handlers(of: key) { handler(key, value) }
  }

  private func tell(_ event: MarketEvent, of key: MarketKey, at now: ClockReading) {
    for case .events(let handler) in observers.handlers(of: key) { handler(key, event, now) }
  }

  private func report(_ status: ConnectionStatus) {
    guard lastStatuses[status.venue] != status else { return }
    lastStatuses[status.venue] = status
    for id in statusObservers.keys.sorted() { statusObservers[id]?(status) }
  }

  /// Deadlines, because repeated delays drift.
  private func scheduleTick() {
    let interval = TimeAmount.milliseconds(HubCore.tickMilliseconds)
    let deadline = max((nextTick ?? loop.now) + interval, loop.now)
    nextTick = deadline
    loop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
      guard let self, !isShutDown else { return }
      tick()
      scheduleTick()
    }
  }

  func catchUp() -> UInt64 {
    if !isShutDown, isOverdue(at: clock.now().monotonic) { tick() }
    return pauses
  }

  private func isOverdue(at now: MonotonicTime) -> Bool {
    lastTick.map { now.milliseconds(since: $0) > HubCore.overdueMilliseconds } ?? false
  }

  /// Timers stop while the machine sleeps, so after a clock jump connections are probed at once.
  private func tick() {
    let now = clock.now().monotonic
    if isOverdue(at: now) { pauses += 1 }
    let hasJumped =
      lastTick.map { now.milliseconds(since: $0) > HubCore.jumpMilliseconds } ?? false
    lastTick = now
    for name in venues.keys.sorted() {
      guard let venue = venues[name] else { continue }
      if hasJumped { venue.handle(.woken) }
      venue.tick()
      report(venue.status)
    }
    for key in observers.keys { judgeAnew(key) }
  }
}

extension MonotonicTime {
  /// A moment of the event loop's clock, which its timers use.
  fileprivate init(_ moment: NIODeadline) {
    self.init(nanoseconds: Int64(clamping: moment.uptimeNanoseconds))
  }
}
