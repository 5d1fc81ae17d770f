// Plays a recording of the venue's messages without a connection: every pair that occurs is taken,
// and the recording may start and end anywhere.

public import MarketModel
public import OrderBook

/// Market data from recorded Kraken messages, one by one.
///
/// A status message in the recording starts a new connection: books and tapes wait for their
/// snapshots again. A book that is found wrong goes on taking changes, since nobody can be asked
/// for a new snapshot; its status is `.resyncing` until the recording brings the next one. Where
/// the recording lacks the instrument channel, the spelling of a snapshot's numbers says the
/// precision, and the checksum whether that is right.
public struct KrakenReplay: MarketReplay {
  private var market: KrakenMarket
  /// Messages handed in so far.
  public private(set) var messages = 0
  /// Messages that could not be read so far; each was rejected whole.
  public private(set) var rejectedMessages = 0

  /// Starts empty.
  ///
  /// `origin` is what views say about where the data comes from.
  public init(origin: DataOrigin = .replay) {
    market = KrakenMarket(origin: origin, takesEverything: true)
    market.link = .open
  }

  /// Takes the raw text of one message, as received at `now`.
  ///
  /// - Returns: nil, or what was wrong with a message that could not be read; nothing of it was
  /// used. All books are doubtful after a bad message that may have been a book's.
  @discardableResult
  public mutating func process(_ bytes: Span<UInt8>, at now: ClockReading) -> VenueProblem? {
    messages += 1
    do {
      let message = try market.receive(bytes, at: now)
      if case .status(let system) = message {
        if !market.instruments.isEmpty, system == .running { market.interrupt() }
        market.isInMaintenance = system == .maintenance
      }
      return nil
    } catch {
      rejectedMessages += 1
      if error.channel == nil || error.channel == .book { market.doubtBooks() }
      return KrakenProblem.malformed(error)
    }
  }

  /// Pairs of which a book has been seen, alphabetically.
  public var bookSymbols: [Symbol] {
    market.instruments.filter { $0.book.trust.sequence > 0 }.map(\.symbol).sorted()
  }

  /// The book of a pair; nil when the pair has not occurred.
  public func bookView(for symbol: Symbol, at now: ClockReading) -> BookView? {
    market.known(symbol).map { market.bookView($0, at: now) }
  }

  /// The trades of a pair; nil when the pair has not occurred.
  public func tapeView(for symbol: Symbol, at now: ClockReading) -> TapeView? {
    market.known(symbol).map { market.tapeView($0, at: now) }
  }

  /// The latest quote of a pair; nil when the pair has not occurred.
  public func quoteView(for symbol: Symbol, at now: ClockReading) -> QuoteView? {
    market.known(symbol).map { market.quoteView($0, at: now) }
  }

  /// The whole book of a pair, with all its levels and its state hash; nil when the pair has not
  /// occurred.
  public func book(for symbol: Symbol) -> OrderBook? {
    market.known(symbol).map { market.instruments[$0].book.book }
  }
}
