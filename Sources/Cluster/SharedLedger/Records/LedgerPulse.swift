// What the process that keeps the ledger says of itself. A command names the latest pulse that its
// sender had received.

import MarketModel
import MessageBus
import NIOCore
import OrderLedger

/// How the order service is.
struct LedgerPulse: Equatable {
  let epoch: UInt64
  /// Counts the pulses of an epoch from 1.
  let number: UInt64
  /// Which ledger it keeps; nil until that is registered on the bus.
  let identity: LedgerIdentity?
  /// The latest event that is stored; 0 before the first.
  let sequence: UInt64
  /// Its hash; nil while no ledger is open.
  let head: ChainHash?
  /// Ticks that were of no use for orders.
  let skippedTicks: UInt64
  /// Why orders are refused, as a sentence; nil when they are accepted.
  let failure: String?

  /// "epoch number identity sequence head skipped", a tab, why orders are refused.
  var bytes: ByteBuffer {
    let (identity, head) = (identity?.description ?? "-", head?.description ?? "-")
    return ByteBuffer(
      string: "\(epoch) \(number) \(identity) \(sequence) \(head) \(skippedTicks)\t"
        + ForeignText.clean(failure ?? ""))
  }

  init(
    epoch: UInt64, number: UInt64, identity: LedgerIdentity?, sequence: UInt64, head: ChainHash?,
    skippedTicks: UInt64, failure: String?
  ) {
    (self.epoch, self.number, self.identity) = (epoch, number, identity)
    (self.sequence, self.head) = (sequence, head)
    (self.skippedTicks, self.failure) = (skippedTicks, failure)
  }

  /// Reads a pulse; nil for anything else.
  init?(_ bytes: ByteBuffer) {
    guard let (words, sentence) = BusPulse.parts(of: bytes, words: 6), let epoch = UInt64(words[0]),
      let number = UInt64(words[1]), let sequence = UInt64(words[3]),
      let skipped = UInt64(words[5])
    else { return nil }
    let (identity, head) = (LedgerIdentity(words[2]), ChainHash(String(words[4])))
    guard identity != nil || words[2] == "-", head != nil || words[4] == "-",
      identity != nil || head == nil
    else { return nil }
    let failure = ForeignText.clean(sentence)
    self.init(
      epoch: epoch, number: number, identity: identity, sequence: sequence, head: head,
      skippedTicks: skipped, failure: failure.isEmpty ? nil : failure)
  }
}
