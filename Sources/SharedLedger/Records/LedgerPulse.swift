// What the process that keeps the ledger says of itself. A command names the latest pulse that its
// sender had heard.

import MarketModel
import MessageBus
import NIOCore
import OrderLedger
import VenueProtocols

/// How the order service is.
struct LedgerPulse: Equatable {
  let epoch: UInt64
  /// Counts the pulses of an epoch from 1.
  let number: UInt64
  /// The latest event that is stored; 0 before the first.
  let sequence: UInt64
  /// Its hash; nil while no ledger is open.
  let head: ChainHash?
  /// Ticks that were of no use for orders.
  let skippedTicks: UInt64
  /// Why orders are refused, as a sentence; nil when they are taken.
  let failure: String?

  /// "epoch number sequence head skipped", a tab, why orders are refused.
  var bytes: ByteBuffer {
    ByteBuffer(
      string: "\(epoch) \(number) \(sequence) \(head?.description ?? "-") \(skippedTicks)\t"
        + ForeignText.clean(failure ?? ""))
  }

  init(
    epoch: UInt64, number: UInt64, sequence: UInt64, head: ChainHash?, skippedTicks: UInt64,
    failure: String?
  ) {
    (self.epoch, self.number, self.sequence) = (epoch, number, sequence)
    (self.head, self.skippedTicks, self.failure) = (head, skippedTicks, failure)
  }

  /// Reads a pulse; nil when it is none.
  init?(_ bytes: ByteBuffer) {
    guard let (words, sentence) = BusPulse.parts(of: bytes, words: 5), let epoch = UInt64(words[0]),
      let number = UInt64(words[1]), let sequence = UInt64(words[2]),
      let skipped = UInt64(words[4])
    else { return nil }
    let head = ChainHash(String(words[3]))
    guard head != nil || words[3] == "-" else { return nil }
    let failure = ForeignText.clean(sentence)
    self.init(
      epoch: epoch, number: number, sequence: sequence, head: head, skippedTicks: skipped,
      failure: failure.isEmpty ? nil : failure)
  }
}
