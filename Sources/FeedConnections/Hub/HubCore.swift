// The hub's state: who observes what, what has changed since the last frame. All of it lives on one
// event loop, so nothing here is locked.

import Logging
import MarketModel
import NIOCore
import VenueProtocols

/// Everything behind ``FeedHub``; used on its event loop only.
final class HubCore {
  /// How often sessions are told the time and freshness is judged anew, in milliseconds.
  static let tickMilliseconds: Int64 = 250
  /// Streams that nobody wants any more and that are kept while their venue is down.
  static let maximumLingering = 256
  /// A pause between two ticks that means that the machine slept or the process stood still.
  static let jumpMilliseconds: Int64 = 5000

  /// One call of `observe`.
  private struct Observer {
    let keys: Set<MarketKey>
    let handler: Handler
  }

  /// What an observer wants to hear.
  enum Handler {
    /// The newest value, once a frame.
    case values(@Sendable (MarketKey, MarketValue) -> Void)
    /// Everything that happens, as it happens.
    case events(@Sendable (MarketKey, MarketEvent, ClockReading) -> Void)
  }

  private let loop: any EventLoop
  private let clock: HubClock
  private let frameMilliseconds: Int64
  private let venues: [Venue: VenueRuntime]
  private var ledgers: [Venue: SubscriptionLedger] = [:]

  private var observers: [UInt64: Observer] = [:]
  private var observersByKey: [MarketKey: Set<UInt64>] = [:]
  private var statusObservers: [UInt64: @Sendable (ConnectionStatus) -> Void] = [:]
  /// What observers were last given.
  private var lastValues: [MarketKey: MarketValue] = [:]
  private var lastStatuses: [Venue: ConnectionStatus] = [:]

  private var dirty: Set<MarketKey> = []
  private var unsettled: Set<Venue> = []
  /// Venues with a timer for the next stream that has lingered long enough.
  private var expiring: Set<Venue> = []
  private var isSettleScheduled = false
  private var isFlushScheduled = false
  private var lastFlush: NIODeadline?
  private var nextTick: NIODeadline?
  private var lastTick: MonotonicTime?
  private var isShutDown = false

  init(
    venues: [VenueRuntime], loop: any EventLoop, clock: HubClock, frameMilliseconds: Int64,
    lingerMilliseconds: Int64
  ) {
    self.loop = loop
    self.clock = clock
    self.frameMilliseconds = max(0, frameMilliseconds)
    self.venues = Dictionary(venues.map { ($0.name, $0) }) { first, _ in first }
    for name in self.venues.keys {
      ledgers[name] = SubscriptionLedger(lingerMilliseconds: lingerMilliseconds)
    }
  }

  /// Wires the venues to this hub and starts its timer.
  ///
  /// Once, before anything else.
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
        opening: { [unowned self] in letGo(of: name) })
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

  func venue(_ name: Venue) -> VenueRuntime? { isShutDown ? nil : venues[name] }

  /// Ends everything.
  ///
  /// - Returns: done when all sockets are gone.
  func shutdown() -> EventLoopFuture<Void> {
    guard !isShutDown else { return loop.makeSucceededVoidFuture() }
    let gone = venues.keys.sorted().compactMap { venues[$0]?.shutdown() }
    for status in venues.values.map(\.status) { report(status) }
    isShutDown = true
    observers = [:]
    observersByKey = [:]
    statusObservers = [:]
    return .andAllComplete(gone, on: loop)
  }
}

// MARK: - Observers

extension HubCore {
  func observe(_ keys: Set<MarketKey>, id: UInt64, _ handler: Handler) {
    guard !isShutDown else { return }
    let known = keys.filter { venues[$0.venue] != nil }
    observers[id] = Observer(keys: known, handler: handler)
    for key in known {
      observersByKey[key, default: []].insert(id)
      if ledgers[key.venue]?.add(key.subscription) == true { unsettle(key.venue) }
    }
    welcome(id)
  }

  func observeConnections(
    id: UInt64, _ handler: @escaping @Sendable (ConnectionStatus) -> Void
  ) {
    guard !isShutDown else { return }
    statusObservers[id] = handler
    for name in venues.keys.sorted() {
      if let status = venues[name]?.status { handler(status) }
    }
  }

  func cancel(_ id: UInt64) {
    statusObservers[id] = nil
    guard let observer = observers.removeValue(forKey: id) else { return }
    let now = clock.now().monotonic
    for key in observer.keys {
      observersByKey[key]?.remove(id)
      if observersByKey[key]?.isEmpty == true {
        observersByKey[key] = nil
        lastValues[key] = nil
        dirty.remove(key)
      }
      if ledgers[key.venue]?.remove(key.subscription, at: now) == true { expireLater(key.venue) }
    }
  }

  private func unsettle(_ venue: Venue) {
    unsettled.insert(venue)
    scheduleSettling()
  }

  /// Many rows that appear within one frame are one request to the venue.
  private func scheduleSettling() {
    guard !isSettleScheduled else { return }
    isSettleScheduled = true
    loop.assumeIsolated().scheduleTask(in: .milliseconds(frameMilliseconds)) { [weak self] in
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
      // A session may know a stream only since it is wanted.
      for key in observersByKey.keys where key.venue == name { deliverIfChanged(key) }
    }
  }

  /// Gives a new observer the present values at once.
  private func welcome(_ id: UInt64) {
    guard let observer = observers[id], case .values(let handler) = observer.handler else { return }
    for key in observer.keys.sorted(by: { $0.subscription < $1.subscription }) {
      guard let value = venues[key.venue]?.value(for: key.subscription) else { continue }
      if lastValues[key] == value || observersByKey[key]?.count == 1 {
        lastValues[key] = value
        handler(key, value)
      } else {
        deliver(value, key)
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

  /// A new connection is asked for the streams that somebody wants, and no others.
  private func letGo(of venue: Venue) {
    _ = ledgers[venue]?.expire(at: clock.now().monotonic)
    if let ledger = ledgers[venue] { venues[venue]?.want(ledger.wanted) }
  }

  /// Lets go of what nobody wants any more.
  ///
  /// Not while the venue is down: what is let go of can't be had again, and the last known values
  /// are what a page that is opened during the outage shows. Then the oldest beyond
  /// ``maximumLingering`` go.
  private func expire(_ venue: Venue) {
    guard !isShutDown, let phase = venues[venue]?.status.phase else { return }
    let kept = phase.isConnected ? 0 : HubCore.maximumLingering
    if ledgers[venue]?.expire(at: clock.now().monotonic, keeping: kept) == true { unsettle(venue) }
    // Those that are left beyond it have not lingered long enough yet.
    if let ledger = ledgers[venue], ledger.lingerCount > kept { expireLater(venue) }
  }
}

// MARK: - Frames and ticks

extension HubCore {
  private func markChanged(_ key: MarketKey) {
    guard observersByKey[key] != nil else { return }
    dirty.insert(key)
    scheduleFlush()
  }

  private func markAllChanged(_ venue: Venue) {
    for key in observersByKey.keys where key.venue == venue { dirty.insert(key) }
    scheduleFlush()
  }

  private func scheduleFlush() {
    guard !isFlushScheduled, !dirty.isEmpty else { return }
    isFlushScheduled = true
    let earliest = lastFlush.map { $0 + .milliseconds(frameMilliseconds) } ?? loop.now
    loop.assumeIsolated().scheduleTask(deadline: max(earliest, loop.now)) { [weak self] in
      self?.flush()
    }
  }

  private func flush() {
    isFlushScheduled = false
    guard !isShutDown else { return }
    lastFlush = loop.now
    let keys = dirty
    dirty = []
    for key in keys { deliverIfChanged(key) }
  }

  private func deliverIfChanged(_ key: MarketKey) {
    guard observersByKey[key] != nil,
      let value = venues[key.venue]?.value(for: key.subscription), value != lastValues[key]
    else { return }
    deliver(value, key)
  }

  private func deliver(_ value: MarketValue, _ key: MarketKey) {
    lastValues[key] = value
    for id in (observersByKey[key] ?? []).sorted() {
      if case .values(let handler)? = observers[id]?.handler { handler(key, value) }
    }
  }

  private func tell(_ event: MarketEvent, of key: MarketKey, at now: ClockReading) {
    for id in (observersByKey[key] ?? []).sorted() {
      if case .events(let handler)? = observers[id]?.handler { handler(key, event, now) }
    }
  }

  private func report(_ status: ConnectionStatus) {
    guard lastStatuses[status.venue] != status else { return }
    lastStatuses[status.venue] = status
    for id in statusObservers.keys.sorted() { statusObservers[id]?(status) }
  }

  /// Deadlines, not delays: a repeated delay drifts.
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

  /// Freshness changes with time alone, so observed values are judged anew without any message.
  ///
  /// Timers stand still while the machine sleeps: after a jump of the clock connections look at
  /// their deadlines at once.
  private func tick() {
    let now = clock.now().monotonic
    let hasJumped =
      lastTick.map { now.milliseconds(since: $0) > HubCore.jumpMilliseconds } ?? false
    lastTick = now
    for name in venues.keys.sorted() {
      guard let venue = venues[name] else { continue }
      if hasJumped { venue.handle(.timer) }
      venue.tick()
      report(venue.status)
    }
    for key in observersByKey.keys { deliverIfChanged(key) }
  }
}
