public import MarketModel
public import OrderBook

/// Market data from recorded Kraken messages, without a connection.
///
/// A status message in the recording starts a new connection: books and tapes wait for their
/// snapshots again. A book that fails its checks continues to apply changes, because no new
/// snapshot can be requested; its status is `.resyncing` until the recording contains the next one.
/// Without the instrument channel, the spelling of a snapshot's numbers gives the precision, and
/// the checksum proves whether it is right.
public struct KrakenReplay: BookReplay {
  typealias Rules = KrakenRules
  var market: BookMarket<KrakenRules>
  /// Messages processed so far.
  public internal(set) var messages = 0
  /// Unreadable messages so far, each rejected as a whole.
  public internal(set) var rejectedMessages = 0

  /// Creates an empty replay; views state `origin` as the source of the data.
  public init(origin: DataOrigin = .replay) { market = Self.market(origin) }

  /// The complete book of a pair with its state hash; nil when the pair has not occurred.
  public func book(for symbol: Symbol) -> OrderBook? {
    market.known(symbol).map { market.books.states[$0].book }
  }
}
