// Plays a recording of Kraken's messages without a connection.

public import MarketModel
public import OrderBook

/// Market data from recorded Kraken messages, one by one.
///
/// A status message in the recording starts a new connection: books and tapes wait for their
/// snapshots again. A book that is found wrong goes on taking changes, since nobody can be asked
/// for a new snapshot; its status is `.resyncing` until the recording brings the next one. Where
/// the recording lacks the instrument channel, the spelling of a snapshot's numbers says the
/// precision, and the checksum whether that is right.
public struct KrakenReplay: BookReplay {
  typealias Rules = KrakenRules
  var market: BookMarket<KrakenRules>
  /// Messages handed in so far.
  public internal(set) var messages = 0
  /// Messages that could not be read so far; each was rejected whole.
  public internal(set) var rejectedMessages = 0

  /// Starts empty.
  ///
  /// `origin` is what views say about where the data comes from.
  public init(origin: DataOrigin = .replay) { market = Self.market(origin) }

  /// The whole book of a pair, with all its levels and its state hash; nil when the pair has not
  /// occurred.
  public func book(for symbol: Symbol) -> OrderBook? {
    market.known(symbol).map { market.books.states[$0].book }
  }
}
