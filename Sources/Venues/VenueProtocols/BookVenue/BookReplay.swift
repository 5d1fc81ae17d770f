public import MarketModel
import OrderBook

/// A replay of a venue with books, without a connection.
///
/// It accepts every symbol, and a recording may start and end anywhere. A greeting in the recording
/// starts a new connection: books and tapes wait for their snapshots again. A book that fails its
/// checks continues to apply changes, because no new snapshot can be requested; its status is
/// `.resyncing` until the recording contains the next one.
protocol BookReplay: MarketReplay {
  associatedtype Rules: BookVenue
  var market: BookMarket<Rules> { get set }
  var messages: Int { get set }
  var rejectedMessages: Int { get set }
}

extension BookReplay {
  /// A market that accepts every symbol, with an open link.
  static func market(_ origin: DataOrigin) -> BookMarket<Rules> {
    var market = BookMarket<Rules>(origin: origin, takesEverything: true)
    market.link = .open
    return market
  }

  /// Applies the raw text of one message, received at `now`.
  ///
  /// - Returns: the problem of an unreadable message, of which nothing was used; otherwise nil.
  ///   After a bad message that may have been a book's, all books are doubtful.
  @discardableResult
  public mutating func process(_ bytes: Span<UInt8>, at now: ClockReading) -> VenueProblem? {
    messages += 1
    do {
      let message = try market.receive(bytes, at: now)
      Rules.begin(message, in: &market)
      return nil
    } catch {
      rejectedMessages += 1
      _ = Rules.loseMessage(of: error.channel, in: &market)
      return Rules.profile.malformed(error.description)
    }
  }

  /// Symbols with a book, sorted.
  public var bookSymbols: [Symbol] { sortedSymbols { hasBook($0) } }

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

  func hasBook(_ number: Int) -> Bool { Rules.shownBook(number, in: market).trust.sequence > 0 }

  func sortedSymbols(where isSeen: (Int) -> Bool) -> [Symbol] {
    market.instruments.indices.filter(isSeen).map { market.instruments[$0].symbol }.sorted()
  }
}

/// Market data from recorded messages that name their instruments, for any venue with books.
public protocol MarketReplay: Sendable {
  /// Messages processed so far.
  var messages: Int { get }
  /// Instruments with a book, sorted.
  var bookSymbols: [Symbol] { get }
  /// Applies the raw text of one message, received at `now`.
  ///
  /// - Returns: the problem of an unreadable message, of which nothing was used; otherwise nil.
  @discardableResult
  mutating func process(_ bytes: Span<UInt8>, at now: ClockReading) -> VenueProblem?
  /// The book of an instrument; nil when it has not occurred.
  func bookView(for symbol: Symbol, at now: ClockReading) -> BookView?
  /// The trades of an instrument; nil when it has not occurred.
  func tapeView(for symbol: Symbol, at now: ClockReading) -> TapeView?
  /// The latest quote of an instrument; nil when it has not occurred.
  func quoteView(for symbol: Symbol, at now: ClockReading) -> QuoteView?
}
