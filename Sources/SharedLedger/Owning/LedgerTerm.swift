// What the process that keeps the ledger knows while the lease is its own.

import MarketModel
import MessageBus
import OrderLedger
import OrderService
import PaperTrading

/// One term: from when the lease was given until it ends.
struct LedgerTerm {
  /// A command that names a pulse older than this, in milliseconds, was too long on its way.
  static let maximumAgeMilliseconds: Int64 = 5000

  let epoch: UInt64
  let service: OrderService
  var subscriptions: [BusSubscription] = []

  private var sequence: UInt64 = 0
  private var head: ChainHash?
  private var skippedTicks: UInt64 = 0
  private var failure: String?
  private var pulses: UInt64 = 0
  private var pulsedAt: [MonotonicTime] = []

  init(epoch: UInt64, service: OrderService) {
    (self.epoch, self.service) = (epoch, service)
  }

  /// Notes events that the service has stored, before anybody hears of them: a pulse that did not
  /// know them yet would look like another ledger.
  mutating func note(_ stored: LedgerExcerpt) {
    guard let end = stored.end else { return }
    (sequence, head) = (end.sequence, end.hash)
  }

  /// Notes what the service tells of its orders.
  mutating func note(_ overview: TradingOverview) {
    (skippedTicks, failure) = (overview.skippedTicks, overview.failure)
    guard let storage = overview.storage else { return head = nil }
    (sequence, head) = (storage.eventCount, ChainHash(storage.head))
  }

  /// What is known of it.
  var standing: LedgerStanding {
    LedgerStanding(epoch: epoch, events: sequence, failure: failure)
  }

  /// The next pulse.
  mutating func pulse(at now: MonotonicTime) -> LedgerPulse {
    pulses += 1
    pulsedAt.append(now)
    let kept = Int(LedgerTerm.maximumAgeMilliseconds / BusPulse.intervalMilliseconds) + 1
    if pulsedAt.count > kept { pulsedAt.removeFirst(pulsedAt.count - kept) }
    return LedgerPulse(
      epoch: epoch, number: pulses, sequence: sequence, head: head, skippedTicks: skippedTicks,
      failure: failure)
  }

  /// Whether a command is young enough to be taken.
  func isTimely(_ command: SentCommand, at now: MonotonicTime) -> Bool {
    guard command.epoch == epoch, command.pulse <= pulses else { return false }
    let back = Int(clamping: pulses - command.pulse)
    guard back < pulsedAt.count else { return false }
    let heard = pulsedAt[pulsedAt.count - 1 - back]
    return now.milliseconds(since: heard) <= LedgerTerm.maximumAgeMilliseconds
  }
}
