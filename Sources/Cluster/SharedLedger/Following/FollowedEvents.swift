// The orders of a ledger and the place in its chain that they are the orders of.

import MarketModel
import OrderLedger
import PaperTrading

/// An event of a ledger by its number and its hash.
struct LedgerPosition: Equatable {
  let sequence: UInt64
  let head: ChainHash
}

/// A ledger that is computed again from its events.
struct FollowedEvents {
  /// The orders, and the market.
  private(set) var trader: PaperTrader
  private(set) var chain: LedgerChain

  init(_ rules: TradingRules) {
    trader = PaperTrader(rules: rules)
    chain = LedgerChain(rules)
  }

  var position: LedgerPosition { LedgerPosition(sequence: chain.sequence, head: chain.head) }

  /// Applies the events that come next; those that are known already are compared by their hash.
  ///
  /// - Parameters:
  ///   - excerpt: events, of which the first follows one that is known.
  ///   - passing: where the ledger must pass on its way; nil for anywhere.
  /// - Returns: false where the excerpt is of another ledger or can't be read; what was applied
  ///   before that stays.
  mutating func apply(_ excerpt: LedgerExcerpt, passing: LedgerPosition? = nil) -> Bool {
    guard excerpt.after <= chain.sequence, let hash = excerpt.hash else { return false }
    let known = Int(clamping: chain.sequence - excerpt.after)
    // It ends before what is known here, so nothing of it is new.
    guard known <= excerpt.texts.count else { return false }
    let start = LedgerExcerpt(
      after: excerpt.after, hash: hash, texts: Array(excerpt.texts.prefix(known)))
    guard start.end?.hash == chain.head else { return false }
    for text in excerpt.texts.dropFirst(known) {
      guard let event = chain.event(text), (try? trader.follow(event)) != nil else { return false }
      chain.advance(by: text)
      if let passing, passing.sequence == chain.sequence, passing.head != chain.head {
        return false
      }
    }
    return true
  }

  /// Applies what happens on the market.
  mutating func watch(_ input: TradingInput, at now: ClockReading) {
    trader.watch(input, at: now)
  }
}
