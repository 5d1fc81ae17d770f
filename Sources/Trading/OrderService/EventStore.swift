import MarketModel
import OrderLedger
import PaperTrading

/// An open store of order events, as functions so that tests can delay it or make it fail.
struct EventStore: Sendable {
  struct Opened: Sendable {
    let store: EventStore
    let history: OrderHistory
    let head: String
    /// nil for a store that is not a ledger.
    var identity: LedgerIdentity?
    var isNew = false
  }

  /// Opens the store; damage is an error like any other.
  typealias Opener = @Sendable (Timestamp) throws(LedgerError) -> Opened

  /// Makes events durable, all or none; returns the chain's head.
  let append: @Sendable ([OrderEvent]) throws(LedgerError) -> String
  var excerpt: @Sendable (UInt64) throws(LedgerError) -> LedgerExcerpt = {
    (after: UInt64) throws(LedgerError) in LedgerExcerpt(after: after, hash: nil, texts: [])
  }
  let close: @Sendable () -> Void
}

extension EventStore {
  /// The ledger in a file.
  ///
  /// Renames a damaged ledger and creates an empty one, but still throws: orders are rejected until
  /// the user has read the reason. The next start uses the new ledger.
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
