import MarketModel
import MessageBus
import NIOCore
import OrderLedger
import WireJSON

/// The order service's pulse.
///
/// A command names the latest pulse that its sender received.
struct LedgerPulse: Equatable {
  let epoch: UInt64
  /// Counts the pulses of an epoch from 1.
  let number: UInt64
  /// The ledger; nil until it is registered on the bus.
  let identity: LedgerIdentity?
  /// The latest stored event; 0 before the first.
  let sequence: UInt64
  /// Its hash; nil while no ledger is open.
  let head: ChainHash?
  let skippedTicks: UInt64
  /// Why orders are rejected, as a sentence; nil if they are accepted.
  let failure: Sentence?

  /// "epoch number identity sequence head skipped", a tab, and ``failure`` as JSON.
  var bytes: ByteBuffer {
    let (identity, head) = (identity?.description ?? "-", head?.description ?? "-")
    return ByteBuffer(
      string: "\(epoch) \(number) \(identity) \(sequence) \(head) \(skippedTicks)\t"
        + (failure?.jsonText ?? ""))
  }

  init(
    epoch: UInt64, number: UInt64, identity: LedgerIdentity?, sequence: UInt64, head: ChainHash?,
    skippedTicks: UInt64, failure: Sentence?
  ) {
    (self.epoch, self.number, self.identity) = (epoch, number, identity)
    (self.sequence, self.head) = (sequence, head)
    (self.skippedTicks, self.failure) = (skippedTicks, failure)
  }

  init?(_ bytes: ByteBuffer) {
    guard let (words, sentence) = BusPulse.parts(of: bytes, words: 6), let epoch = UInt64(words[0]),
      let number = UInt64(words[1]), let sequence = UInt64(words[3]),
      let skipped = UInt64(words[5])
    else { return nil }
    let (identity, head) = (LedgerIdentity(words[2]), ChainHash(String(words[4])))
    guard identity != nil || words[2] == "-", head != nil || words[4] == "-",
      identity != nil || head == nil
    else { return nil }
    let failure = Sentence(json: Array(sentence.utf8))
    guard failure != nil || sentence.isEmpty else { return nil }
    self.init(
      epoch: epoch, number: number, identity: identity, sequence: sequence, head: head,
      skippedTicks: skipped, failure: failure)
  }
}
