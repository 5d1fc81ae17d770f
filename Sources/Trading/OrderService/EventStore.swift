// The disk as the order service sees it: functions, so that tests can delay it or let it fail.

import MarketModel
import OrderLedger
import PaperTrading

/// An open store of order events.
struct EventStore: Sendable {
  /// An open store with what it held.
  struct Opened: Sendable {
    let store: EventStore
    let history: OrderHistory
    let head: String
    /// Nil for a store that is no ledger.
    var identity: LedgerIdentity?
    /// Whether it was made just now.
    var isNew = false
  }

  /// Opens the store; damage is an error, and so is everything else that stands in the way.
  typealias Opener = @Sendable (Timestamp) throws(LedgerError) -> Opened

  /// Makes events durable, all or none; gives the chain's head.
  let append: @Sendable ([OrderEvent]) throws(LedgerError) -> String
  /// The next events after one.
  var excerpt: @Sendable (UInt64) throws(LedgerError) -> LedgerExcerpt = {
    (after: UInt64) throws(LedgerError) in LedgerExcerpt(after: after, hash: nil, texts: [])
  }
  /// Ends the use of the store.
  let close: @Sendable () -> Void
}

extension EventStore {
  /// The ledger in a file.
  ///
  /// A damaged one is renamed and an empty one begun, and yet this throws: no order is taken on an
  /// empty history before a person has read why. The next start uses the new one.
  static func file(_ path: String, rules: TradingRules) -> Opener {
    { (now: Timestamp) throws(LedgerError) -> Opened in
      try OrderLedger.checkRoom(at: path)
      let opened = try OrderLedger.open(at: path, rules: rules, now: now)
      let ledger = opened.ledger
      if let old = opened.setAside {
        try? ledger.close()
        throw .setAside(path: old.path, old.verification)
      }
      let store = EventStore(
        append: { (events: [OrderEvent]) throws(LedgerError) -> String in
          try ledger.append(events)?.description ?? ""
        },
        excerpt: { (after: UInt64) throws(LedgerError) in try ledger.excerpt(after: after) },
        close: { try? ledger.close() })
      return Opened(
        store: store, history: opened.history,
        head: opened.verification.headHash?.description ?? "", identity: ledger.identity,
        isNew: opened.isNew)
    }
  }
}
