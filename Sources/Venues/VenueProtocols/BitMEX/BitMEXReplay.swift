// Plays a recording of BitMEX's messages without a connection.

public import MarketModel
public import OrderBook

/// Market data from recorded BitMEX messages, one by one.
///
/// A welcome message in the recording starts a new connection: books and tapes wait for their
/// partials again. A book that is found wrong goes on taking changes, since nobody can be asked
/// for a new snapshot; its status is `.resyncing` until the recording brings the next partial.
public struct BitMEXReplay: BookReplay {
  typealias Rules = BitMEXRules
  var market: BookMarket<BitMEXRules>
  /// Messages handed in so far.
  public internal(set) var messages = 0
  /// Messages that could not be read so far; each was rejected whole.
  public internal(set) var rejectedMessages = 0

  /// Starts empty.
  ///
  /// `origin` is what views say about where the data comes from.
  public init(origin: DataOrigin = .replay) { market = Self.market(origin) }

  /// All symbols of which a book, a trade or a quote has been seen, alphabetically.
  public var symbols: [Symbol] {
    sortedSymbols { number in
      let instrument = market.instruments[number]
      return hasBook(number) || !instrument.tape.trades.isEmpty
        || instrument.quote.top != BestLevels() || instrument.quote.price != nil
    }
  }

  /// Reads the book of a symbol in place, without a copy; nil when the symbol has not occurred.
  ///
  /// Mutating only so that the book is accessed where it is: it changes nothing.
  public mutating func readBook<Result>(
    of symbol: Symbol, _ body: (borrowing OrderBook) -> Result
  ) -> Result? {
    guard let number = market.known(symbol) else { return nil }
    return market.showsTop25(number)
      ? Self.read(&market.audits.states[number].book, body)
      : Self.read(&market.books.states[number].book, body)
  }

  private static func read<Result>(
    _ book: inout OrderBook, _ body: (borrowing OrderBook) -> Result
  ) -> Result {
    body(book)
  }

  /// The whole book of a symbol, with all its levels and its state hash; nil when the symbol has
  /// not occurred.
  public func book(for symbol: Symbol) -> OrderBook? {
    market.known(symbol).map { Rules.shownBook($0, in: market).book }
  }
}
