import MarketModel
import OrderLedger
import PaperTrading

/// An event of a ledger by its sequence number and hash.
struct LedgerPosition: Equatable {
  let sequence: UInt64
  let head: ChainHash
}

/// A ledger recomputed from its events, with its position in the chain.
struct FollowedEvents {
  private(set) var trader: PaperTrader
  private(set) var chain: LedgerChain

  init(_ rules: TradingRules) {
    trader = PaperTrader(rules: rules)
    chain = LedgerChain(rules)
  }

  var position: LedgerPosition { LedgerPosition(sequence: chain.sequence, head: chain.head) }

  /// Applies the next events; those already applied are compared by hash.
  ///
  /// - Parameters:
  ///   - excerpt: events, of which the first follows an applied one.
  ///   - passing: a position the ledger must pass; nil for any.
  /// - Returns: false if the excerpt is of another ledger or unreadable; what was applied before
  ///   that stays.
  mutating func apply(_ excerpt: LedgerExcerpt, passing: LedgerPosition? = nil) -> Bool {
    guard excerpt.after <= chain.sequence, let hash = excerpt.hash else { return false }
    let known = Int(clamping: chain.sequence - excerpt.after)
    // It ends before the applied events, so it has nothing new.
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

  mutating func watch(_ input: TradingInput, at now: ClockReading) { trader.watch(input, at: now) }

  /// Takes over the market data of other events, whose orders may differ.
  mutating func watchMarkets(of other: FollowedEvents) {
    trader.watchMarkets(of: other.trader)
  }
}
