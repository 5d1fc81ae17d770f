// Plays a recording of the venue's messages without a connection: every symbol that occurs is
// taken, and the recording may start and end anywhere.

public import MarketModel
public import OrderBook

/// Market data from recorded BitMEX messages, one by one.
///
/// A welcome message in the recording starts a new connection: books and tapes wait for their
/// partials again. A book that is found wrong goes on taking changes, since nobody can be asked
/// for a new snapshot; its status is `.resyncing` until the recording brings the next partial.
public struct BitMEXReplay: MarketReplay {
  private var market: BitMEXMarket
  /// Messages handed in so far.
  public private(set) var messages = 0
  /// Messages that could not be read so far; each was rejected whole.
  public private(set) var rejectedMessages = 0

  /// Starts empty.
  ///
  /// `origin` is what views say about where the data comes from.
  public init(origin: DataOrigin = .replay) {
    market = BitMEXMarket(origin: origin, takesEverything: true)
    market.link = .open
  }

  /// Takes the raw text of one message, as received at `now`.
  ///
  /// - Returns: nil, or what was wrong with a message that could not be read; nothing of it was
  /// used.
  ///   After a bad message of a book, or of an unknown table, all books are doubtful.
  @discardableResult
  public mutating func process(_ bytes: Span<UInt8>, at now: ClockReading) -> VenueProblem? {
    messages += 1
    do {
      let message = try market.receive(bytes, at: now)
      if message == .welcome, market.instruments.count > 0 { market.interrupt() }
      return nil
    } catch {
      rejectedMessages += 1
      market.doubtEverything(of: error.table)
      return BitMEXProblem.malformed(error)
    }
  }

  /// Symbols of which a book has been seen, alphabetically.
  public var bookSymbols: [Symbol] {
    symbols {
      market.books.states[$0].trust.sequence + market.topBooks.states[$0].trust.sequence > 0
    }
  }

  /// All symbols of which a book, a trade or a quote has been seen, alphabetically.
  public var symbols: [Symbol] {
    symbols {
      market.books.states[$0].trust.sequence + market.topBooks.states[$0].trust.sequence > 0
        || !market.instruments[$0].tape.trades.isEmpty
        || market.instruments[$0].quote.latest != BitMEXQuoteRow()
        || market.instruments[$0].quote.price != nil
    }
  }

  /// The book of a symbol; nil when the symbol has not occurred.
  public func bookView(for symbol: Symbol, at now: ClockReading) -> BookView? {
    market.known(symbol).map { market.bookView($0, at: now) }
  }

  /// The trades of a symbol; nil when the symbol has not occurred.
  public func tapeView(for symbol: Symbol, at now: ClockReading) -> TapeView? {
    market.known(symbol).map { market.tapeView($0, at: now) }
  }

  /// The latest quote of a symbol; nil when the symbol has not occurred.
  public func quoteView(for symbol: Symbol, at now: ClockReading) -> QuoteView? {
    market.known(symbol).map { market.quoteView($0, at: now) }
  }

  /// Reads the book of a symbol in place, without a copy; nil when the symbol has not occurred.
  public func readBook<Result>(
    of symbol: Symbol, _ body: (borrowing OrderBook) -> Result
  ) -> Result? {
    guard let number = market.known(symbol) else { return nil }
    return market.usesTop25(number)
      ? body(market.topBooks.states[number].book) : body(market.books.states[number].book)
  }

  /// The whole book of a symbol, with all its levels and its state hash; nil when the symbol has
  /// not occurred.
  public func book(for symbol: Symbol) -> OrderBook? {
    market.known(symbol).map { market.fullestBook($0).book }
  }

  private func symbols(where isSeen: (Int) -> Bool) -> [Symbol] {
    market.instruments.indices.filter(isSeen).map { market.instruments[$0].symbol }.sorted()
  }
}
