import MarketModel
import MessageBus
import OrderLedger
import OrderService
import PaperTrading

/// One term of a ledger's keeper: from the grant of the lease to its end.
struct LedgerTerm {
  /// A command that names a pulse older than this, in milliseconds, is stale.
  static let maximumAgeMilliseconds: Int64 = 5000

  let epoch: UInt64
  let orders: any KeptOrders
  /// The ledger, once it is open and registered on the bus; until then no command is accepted.
  var identity: LedgerIdentity?
  var registered: LedgerRegistry.Entry
  var subscriptions: [BusSubscription] = []

  private var sequence: UInt64 = 0
  private var head: ChainHash?
  private var skippedTicks: UInt64 = 0
  private var failure: Sentence?
  private var pulses: UInt64 = 0
  private var pulsedAt: [MonotonicTime] = []

  init(epoch: UInt64, orders: any KeptOrders, registered: LedgerRegistry.Entry = .none) {
    (self.epoch, self.orders, self.registered) = (epoch, orders, registered)
  }

  /// Applies stored events before they are published: a pulse without them would look like a
  /// shorter ledger.
  mutating func note(_ stored: LedgerExcerpt) {
    guard let end = stored.end else { return }
    (sequence, head) = (end.sequence, end.hash)
  }

  mutating func note(_ overview: TradingOverview) {
    (skippedTicks, failure) = (overview.skippedTicks, overview.failure)
    guard let storage = overview.storage else { return head = nil }
    (sequence, head) = (storage.eventCount, ChainHash(storage.head))
  }

  /// The latest stored event; nil while no ledger is open.
  var position: LedgerPosition? { head.map { LedgerPosition(sequence: sequence, head: $0) } }

  var standing: LedgerStanding {
    LedgerStanding(epoch: epoch, events: sequence, failure: failure)
  }

  mutating func pulse(at now: MonotonicTime) -> LedgerPulse {
    pulses += 1
    pulsedAt.append(now)
    let kept = Int(LedgerTerm.maximumAgeMilliseconds / BusPulse.intervalMilliseconds) + 1
    if pulsedAt.count > kept { pulsedAt.removeFirst(pulsedAt.count - kept) }
    return LedgerPulse(
      epoch: epoch, number: pulses, identity: identity, sequence: sequence,
      head: identity == nil ? nil : head, skippedTicks: skippedTicks, failure: failure)
  }

  func isTimely(_ command: SentCommand, at now: MonotonicTime) -> Bool {
    guard command.epoch == epoch, command.pulse <= pulses else { return false }
    let back = Int(clamping: pulses - command.pulse)
    guard back < pulsedAt.count else { return false }
    let heard = pulsedAt[pulsedAt.count - 1 - back]
    return now.milliseconds(since: heard) <= LedgerTerm.maximumAgeMilliseconds
  }
}
