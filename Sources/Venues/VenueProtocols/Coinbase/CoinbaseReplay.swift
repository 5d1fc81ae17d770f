public import MarketModel
public import OrderBook

/// Market data from recorded Coinbase messages, without a connection.
///
/// The number 0 starts a new connection: books and tapes wait for their snapshots again. After
/// missing numbers a book continues to apply updates, because no new snapshot can be requested; its
/// status is `.resyncing` until the recording contains the next one.
public struct CoinbaseReplay: BookReplay {
  typealias Rules = CoinbaseRules
  var market: BookMarket<CoinbaseRules>
  /// Messages processed so far.
  public internal(set) var messages = 0
  /// Unreadable messages so far, each rejected as a whole.
  public internal(set) var rejectedMessages = 0

  /// Creates an empty replay; views state `origin` as the source of the data.
  public init(origin: DataOrigin = .replay) { market = Self.market(origin) }

  /// The complete book of a product with its state hash; nil when the product has not occurred.
  public func book(for symbol: Symbol) -> OrderBook? {
    market.known(symbol).map { market.books.states[$0].book }
  }
}
