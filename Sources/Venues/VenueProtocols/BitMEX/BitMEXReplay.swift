public import MarketModel
public import OrderBook

/// Market data from recorded BitMEX messages, without a connection.
///
/// A welcome message in the recording starts a new connection: books and tapes wait for their
/// partials again. A book that fails its checks continues to apply changes, because no new snapshot
/// can be requested; its status is `.resyncing` until the recording contains the next partial.
public struct BitMEXReplay: BookReplay {
  typealias Rules = BitMEXRules
  var market: BookMarket<BitMEXRules>
  /// Messages processed so far.
  public internal(set) var messages = 0
  /// Unreadable messages so far, each rejected as a whole.
  public internal(set) var rejectedMessages = 0

  /// Creates an empty replay; views state `origin` as the source of the data.
  public init(origin: DataOrigin = .replay) { market = Self.market(origin) }

  /// All symbols with a book, a trade or a quote, sorted.
  public var symbols: [Symbol] {
    sortedSymbols { number in
      let instrument = market.instruments[number]
      return hasBook(number) || !instrument.tape.trades.isEmpty
        || instrument.quote.top != BestLevels() || instrument.quote.price != nil
    }
  }

  /// Replaces the rows by the best ``BookView/depth`` of each side, reusing their capacity; false
  /// when the symbol has not occurred.
  ///
  /// Mutating only for access in place: it changes nothing.
  public mutating func copyBestRows(
    of symbol: Symbol, bids: inout [BookRow], asks: inout [BookRow]
  ) -> Bool {
    guard let number = market.known(symbol) else { return false }
    if market.showsTop25(number) {
      Self.copy(&market.audits.states[number].book, &bids, &asks)
    } else {
      Self.copy(&market.books.states[number].book, &bids, &asks)
    }
    return true
  }

  @inline(__always)
  private static func copy(
    _ book: inout OrderBook, _ bids: inout [BookRow], _ asks: inout [BookRow]
  ) {
    book.copyRows(.bid, into: &bids)
    book.copyRows(.ask, into: &asks)
  }

  /// The complete book of a symbol with its state hash; nil when the symbol has not occurred.
  public func book(for symbol: Symbol) -> OrderBook? {
    market.known(symbol).map { Rules.shownBook($0, in: market).book }
  }
}
