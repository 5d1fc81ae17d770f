// A ledger that another process keeps, followed event by event.

import MarketModel
import MessageBus
import OrderLedger
import OrderService
import PaperTrading

/// What a server knows of the ledger; pure.
///
/// Every event is read and checked as one that comes from a file, and its hash is computed again.
/// A ledger that contradicts what was followed before is another one: from then on nothing is
/// believed and no order is sent, until a person starts the server anew.
struct LedgerFollower {
  /// Ask for the events after this one.
  struct Ask: Equatable {
    let after: UInt64
  }

  /// All orders that are known, and the market.
  private(set) var trader: PaperTrader
  /// How far the ledger is known.
  private(set) var chain: LedgerChain
  /// Whether the ledger is another one than before.
  private(set) var isForeign = false
  /// The latest pulse; nil before the first.
  private(set) var pulse: LedgerPulse?

  private let startedAt: MonotonicTime
  private var pulsedAt: MonotonicTime?
  private var link = BusLink.up
  /// Pieces and pulses of smaller ones are of a process that may not speak any more.
  private var epoch: UInt64 = 0
  private var heardAt: MonotonicTime?
  private var isAsking = false

  init(_ rules: TradingRules, at now: MonotonicTime) {
    trader = PaperTrader(rules: rules)
    chain = LedgerChain(rules)
    startedAt = now
  }

  // MARK: What is known

  /// Whether every event that is known to be stored is here; false before the first pulse.
  var isCurrent: Bool {
    guard let pulse, pulse.head != nil else { return false }
    return chain.sequence >= pulse.sequence
  }

  /// Whether there is nothing to say yet: the order service has not been heard, and could not have
  /// been for long.
  func isStarting(at now: MonotonicTime) -> Bool {
    !isCurrent && !isForeign && link == .up
      && now.milliseconds(since: startedAt) < 2 * BusPulse.deadMilliseconds
  }

  /// Why no order can be sent, as a sentence; nil when it can.
  func failure(at now: MonotonicTime) -> String? {
    guard !isForeign else {
      return "The order service shows another ledger than the one that this server has followed. "
        + "Start the server again once you know why."
    }
    if case .down(let reason) = link {
      return "The bus is down, so no orders are taken: \(reason)."
    }
    guard let pulse, let pulsedAt,
      now.milliseconds(since: pulsedAt) < BusPulse.deadMilliseconds
    else { return "The order service does not answer, so no orders are taken." }
    if let failure = pulse.failure { return failure }
    guard isCurrent else { return "The orders are being fetched from the order service." }
    return nil
  }

  /// How long the orders have not been known to be all, in nanoseconds; nil where they are, and
  /// before anything was heard.
  func blindness(at now: MonotonicTime) -> Int64? {
    guard let pulsedAt else { return nil }
    let age = now.nanoseconds - pulsedAt.nanoseconds
    let isHeard = link == .up && age < BusPulse.deadMilliseconds * 1_000_000
    return isHeard && isCurrent && !isForeign ? nil : age
  }

  /// Where the orders are stored; nil while they are not all known.
  var storage: StorageStatus? {
    guard isCurrent else { return nil }
    return StorageStatus(
      eventCount: chain.sequence, head: chain.head.description, isIntact: !isForeign)
  }

  // MARK: What comes

  mutating func take(_ link: BusLink) { self.link = link }

  mutating func take(_ pulse: LedgerPulse, at now: MonotonicTime) -> Ask? {
    guard !isForeign, isHeard(pulse.epoch, at: now) else { return nil }
    (self.pulse, pulsedAt) = (pulse, now)
    guard let head = pulse.head else { return nil }
    let isKnown = pulse.sequence == chain.sequence
    if pulse.sequence < chain.sequence || isKnown && head != chain.head {
      isForeign = true
      return nil
    }
    return isKnown ? nil : ask()
  }

  /// Takes events that were just stored; says whether any is new.
  mutating func take(_ piece: LedgerPiece, at now: MonotonicTime) -> (isNew: Bool, ask: Ask?) {
    guard !isForeign, isHeard(piece.epoch, at: now) else { return (false, nil) }
    let before = chain.sequence
    guard piece.excerpt.after <= before else { return (false, ask()) }
    go(on: piece.excerpt)
    return (chain.sequence > before, nil)
  }

  /// Takes the answer to a question; nil where none came.
  mutating func takeAnswer(
    _ piece: LedgerPiece?, at now: MonotonicTime
  ) -> (isNew: Bool, ask: Ask?) {
    isAsking = false
    guard let piece else { return (false, nil) }
    let taken = take(piece, at: now)
    guard taken.isNew, !isForeign, let pulse, chain.sequence < pulse.sequence else { return taken }
    return (true, ask())
  }

  /// Sees what happens on the market.
  mutating func watch(_ input: TradingInput, at now: ClockReading) {
    trader.watch(input, at: now)
  }

  private mutating func ask() -> Ask? {
    guard !isAsking else { return nil }
    isAsking = true
    return Ask(after: chain.sequence)
  }

  private mutating func go(on excerpt: LedgerExcerpt) {
    let known = Int(clamping: chain.sequence - excerpt.after)
    guard known > 0 || excerpt.hash == chain.head else { return isForeign = true }
    for text in excerpt.texts.dropFirst(known) {
      guard let event = chain.event(text), (try? trader.follow(event)) != nil else {
        return isForeign = true
      }
      chain.advance(by: text)
    }
  }

  /// Whether a process of this epoch may speak.
  ///
  /// A broker that has lost its store counts anew: a process of an earlier epoch is believed once
  /// it alone has been heard for two leases.
  private mutating func isHeard(_ epoch: UInt64, at now: MonotonicTime) -> Bool {
    if epoch < self.epoch, let heardAt, now.milliseconds(since: heardAt) < 2 * leaseMilliseconds {
      return false
    }
    (self.epoch, heardAt) = (epoch, now)
    return true
  }
}
