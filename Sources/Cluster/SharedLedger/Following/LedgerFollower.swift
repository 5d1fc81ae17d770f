import MarketModel
import MessageBus
import OrderLedger
import OrderService
import PaperTrading

/// A server's copy of a ledger that another process keeps, followed event by event; pure.
///
/// Every event is validated like one read from a file, and its hash is recomputed. The followed
/// ledger is the one whose event a pulse has confirmed: another identity is another ledger, and the
/// same identity without the confirmed event is an older or changed copy. Neither receives orders.
/// No single message decides for long: pulses of the followed ledger end the effect of a forged
/// one, and a ledger that contradicts an event that no pulse has confirmed is reread from its
/// start.
struct LedgerFollower {
  /// Request the events after this one.
  struct Ask: Equatable {
    let after: UInt64
  }

  private enum Contradiction {
    /// A pulse contradicts an event that an earlier pulse has confirmed.
    case pulse
    /// A pulse or response contradicts events that no pulse has confirmed.
    case events
  }

  /// Between two attempts to reread a contradictory ledger from its start, in milliseconds.
  static let rereadMilliseconds: Int64 = 10_000

  private let rules: TradingRules
  private var events: FollowedEvents
  /// The followed ledger; nil before the first pulse that names one.
  private(set) var identity: LedgerIdentity?
  /// The latest event confirmed by a pulse; nil before the first.
  private var confirmed: LedgerPosition?
  private var contradiction: Contradiction?
  /// The ledger from its start, while it is reread.
  private var reread: FollowedEvents?
  private var rereadAt: MonotonicTime?
  private(set) var pulse: LedgerPulse?

  private let startedAt: MonotonicTime
  private var pulsedAt: MonotonicTime?
  private var foreignAt: MonotonicTime?
  private var link = BusLink.up
  /// Pieces and pulses of smaller epochs come from a process that may no longer publish.
  private var epoch: UInt64 = 0
  private var epochAt: MonotonicTime?
  private var isAsking = false

  init(_ rules: TradingRules, at now: MonotonicTime) {
    self.rules = rules
    events = FollowedEvents(rules)
    startedAt = now
  }

  // MARK: State

  /// All applied orders, and the market.
  var trader: PaperTrader { events.trader }
  /// The end of the applied events.
  var chain: LedgerChain { events.chain }

  var isContradicted: Bool { contradiction != nil }

  /// Whether every stored event has been applied; false before the first pulse.
  var isCurrent: Bool {
    guard let pulse, pulse.head != nil, !isContradicted else { return false }
    return chain.sequence >= pulse.sequence
  }

  /// Whether there is nothing to report yet: no pulse has arrived shortly after the start.
  func isStarting(at now: MonotonicTime) -> Bool {
    !isCurrent && !isContradicted && link == .up
      && now.milliseconds(since: startedAt) < 2 * BusPulse.deadMilliseconds
  }

  /// Why no order can be sent, as a sentence; nil if orders can be sent.
  func failure(at now: MonotonicTime) -> Sentence? {
    if case .down(let reason) = link {
      return "The bus is down, so no orders are taken: \(reason)."
    }
    guard let pulse, isRecent(pulsedAt, at: now) else {
      guard isRecent(foreignAt, at: now) else {
        return "The order service does not respond, so no orders are taken."
      }
      return """
        The order service keeps another ledger. Orders are taken again when this server's own \
        ledger is back.
        """
    }
    guard !isContradicted else {
      return """
        The order service keeps an older or changed copy of the ledger. Restore the latest one.
        """
    }
    if let failure = pulse.failure { return failure }
    guard isCurrent else { return "Loading orders from the order service." }
    return nil
  }

  private func isRecent(_ time: MonotonicTime?, at now: MonotonicTime) -> Bool {
    time.map { now.milliseconds(since: $0) < BusPulse.deadMilliseconds } ?? false
  }

  /// How long the orders have possibly been incomplete, in nanoseconds; nil if they are complete,
  /// and before the first pulse.
  func blindness(at now: MonotonicTime) -> Int64? {
    guard let pulsedAt else { return nil }
    let age = now.nanoseconds - pulsedAt.nanoseconds
    return link == .up && isRecent(pulsedAt, at: now) && isCurrent ? nil : age
  }

  /// How the orders are stored; nil while they are incomplete.
  var storage: StorageStatus? {
    guard isCurrent else { return nil }
    return StorageStatus(
      eventCount: chain.sequence, head: chain.head.description, isIntact: true)
  }

  // MARK: Input

  mutating func receive(_ link: BusLink) { self.link = link }

  mutating func receive(_ pulse: LedgerPulse, at now: MonotonicTime) -> Ask? {
    if let other = pulse.identity, other != identity {
      guard mayFollow(pulse, at: now) else {
        foreignAt = now
        return nil
      }
      follow(other, isSame: isEnd(pulse))
    }
    guard isAllowed(pulse.epoch, at: now) else { return nil }
    (self.pulse, pulsedAt) = (pulse, now)
    guard let head = pulse.head else { return nil }
    if let confirmed,
      pulse.sequence < confirmed.sequence
        || pulse.sequence == confirmed.sequence && head != confirmed.head
    {
      contradiction = contradiction ?? .pulse
      return nil
    }
    if contradiction == .pulse { contradiction = nil }
    if pulse.sequence > chain.sequence, contradiction == nil { return ask(after: chain.sequence) }
    return confirm() ? nil : doubtEvents(at: now)
  }

  /// Applies events that were just stored; returns whether any is new.
  ///
  /// Events that do not continue the chain are ignored: if the ledger has them, the next pulse
  /// reveals it.
  mutating func receive(_ piece: LedgerPiece, at now: MonotonicTime) -> (isNew: Bool, ask: Ask?) {
    guard isAllowed(piece.epoch, at: now) else { return (false, nil) }
    let before = chain.sequence
    guard piece.excerpt.after <= before else { return (false, ask(after: before)) }
    _ = events.apply(piece.excerpt)
    guard chain.sequence > before else { return (false, nil) }
    return (true, checkEnd(at: now))
  }

  /// Applies the response to an ``Ask``; nil without one.
  mutating func receiveResponse(
    _ piece: LedgerPiece?, at now: MonotonicTime
  ) -> (isNew: Bool, ask: Ask?) {
    isAsking = false
    guard let piece, isAllowed(piece.epoch, at: now) else {
      reread = nil
      return (false, nil)
    }
    if reread != nil {
      let isProven = goOnRereading(piece.excerpt)
      return (isProven, reread.flatMap { ask(after: $0.chain.sequence) })
    }
    let before = chain.sequence
    guard events.apply(piece.excerpt) else {
      // If events have arrived meanwhile, the response is outdated.
      let isOld = piece.excerpt.after < before && chain.sequence == before
      return (chain.sequence > before, isOld ? nil : doubtEvents(at: now))
    }
    guard chain.sequence > before, let pulse else { return (chain.sequence > before, nil) }
    return (
      true, chain.sequence < pulse.sequence ? ask(after: chain.sequence) : checkEnd(at: now)
    )
  }

  mutating func watch(_ input: TradingInput, at now: ClockReading) {
    events.watch(input, at: now)
  }

  /// Replaces the events, keeping the markets.
  private mutating func replace(_ events: FollowedEvents) {
    let former = self.events
    self.events = events
    self.events.watchMarkets(of: former)
  }

  private mutating func ask(after sequence: UInt64) -> Ask? {
    guard !isAsking else { return nil }
    isAsking = true
    return Ask(after: sequence)
  }

  /// Whether a pulse's ledger may replace the followed one.
  ///
  /// A ledger with a confirmed event stays. Otherwise another one with the same events may replace
  /// it, and one with different events only after the former has been silent for two leases.
  private func mayFollow(_ pulse: LedgerPulse, at now: MonotonicTime) -> Bool {
    guard confirmed?.sequence ?? 0 == 0 else { return false }
    if chain.sequence == 0 || isEnd(pulse) { return true }
    return pulsedAt.map { now.milliseconds(since: $0) >= 2 * leaseMilliseconds } ?? true
  }

  /// Whether a pulse names the latest applied event.
  private func isEnd(_ pulse: LedgerPulse) -> Bool {
    pulse.sequence == chain.sequence && pulse.head == chain.head
  }

  /// Follows a ledger, from its start unless its events are the same.
  private mutating func follow(_ identity: LedgerIdentity, isSame: Bool) {
    self.identity = identity
    // Epochs of another ledger's pulse do not count.
    (epoch, epochAt) = (0, nil)
    (confirmed, contradiction, reread, rereadAt) = (nil, nil, nil, nil)
    if !isSame, chain.sequence > 0 { replace(FollowedEvents(rules)) }
  }

  // MARK: The chain

  /// Confirms the latest event by the latest pulse; false if they differ.
  private mutating func confirm() -> Bool {
    guard let pulse, isEnd(pulse) else { return false }
    (confirmed, contradiction) = (events.position, nil)
    return true
  }

  /// Checks the latest event, if the latest pulse has the same sequence number.
  private mutating func checkEnd(at now: MonotonicTime) -> Ask? {
    guard let pulse, pulse.head != nil, pulse.sequence == chain.sequence else { return nil }
    return confirm() ? nil : doubtEvents(at: now)
  }

  /// Rereads the ledger from its start: an event that no pulse has confirmed may be forged.
  private mutating func doubtEvents(at now: MonotonicTime) -> Ask? {
    contradiction = .events
    if let rereadAt, now.milliseconds(since: rereadAt) < LedgerFollower.rereadMilliseconds {
      return nil
    }
    guard reread == nil, let ask = ask(after: 0) else { return nil }
    (reread, rereadAt) = (FollowedEvents(rules), now)
    return ask
  }

  /// Continues rereading; returns whether the ledger proved to be the followed one, and its events
  /// are applied now.
  private mutating func goOnRereading(_ excerpt: LedgerExcerpt) -> Bool {
    guard var read = reread, let pulse else { return false }
    let before = read.chain.sequence
    let end = max(pulse.sequence, confirmed?.sequence ?? 0)
    let follows = read.apply(excerpt, passing: confirmed)
    if follows, read.chain.sequence < end, read.chain.sequence > before {
      reread = read
      return false
    }
    reread = nil
    guard follows, read.chain.sequence >= end,
      read.chain.sequence > pulse.sequence || read.chain.head == pulse.head
    else { return false }
    replace(read)
    contradiction = nil
    _ = confirm()
    return true
  }

  /// Whether a process of this epoch may publish.
  ///
  /// A broker that has lost its store counts from 1 again, so a process of an earlier epoch is
  /// allowed once no other has been received for two leases.
  private mutating func isAllowed(_ epoch: UInt64, at now: MonotonicTime) -> Bool {
    if epoch < self.epoch, let epochAt, now.milliseconds(since: epochAt) < 2 * leaseMilliseconds {
      return false
    }
    (self.epoch, epochAt) = (epoch, now)
    return true
  }
}
