public import MarketModel
public import OrderBook

/// Market data from recorded OKX messages, without a connection.
///
/// A book whose chain of numbers breaks is `.resyncing` and keeps its last rows until the recording
/// contains the next snapshot. Updates without numbers, as before 2023, are checked by their
/// checksums.
public struct OKXReplay: BookReplay {
  typealias Rules = OKXRules
  var market: BookMarket<OKXRules>
  /// Messages processed so far.
  public internal(set) var messages = 0
  /// Unreadable messages so far, each rejected as a whole.
  public internal(set) var rejectedMessages = 0

  /// Creates an empty replay; views state `origin` as the source of the data.
  public init(origin: DataOrigin = .replay) { market = Self.market(origin) }

  /// The complete book of an instrument with its state hash; nil when it has not occurred.
  public func book(for symbol: Symbol) -> OrderBook? {
    market.known(symbol).map { market.books.states[$0].book }
  }
}
