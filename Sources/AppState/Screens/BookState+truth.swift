// LT2: what the truth strip notes of a book that is on show.

public import MarketModel
public import MarketStreams
import VenueProtocols

/// How far a book on show can be believed.
public struct TruthSample: Equatable, Sendable {
  /// The instrument.
  public let instrument: InstrumentKey
  /// Its book's level.
  public let level: TruthLevel
  /// Where the book comes from.
  public let origin: DataOrigin
  /// Whether the rows are grouped: those have no proof of the venue, and yield to single ones.
  public let isGrouped: Bool
  /// Why the book is fetched anew, in words; nil where it is not, or the cause is not known.
  public let cause: String?
}

extension BookState {
  /// What can be said of these rows; nil while there is nothing to judge.
  public var truth: TruthSample? {
    guard let instrument else { return nothingOnShow }
    guard let level = TruthLevel(freshness.state, isProven: proof != nil) else { return nil }
    return TruthSample(
      instrument: InstrumentKey(instrument.venue, symbol), level: level, origin: freshness.origin,
      isGrouped: !grouping.isNone,
      cause: level == .resyncing ? doubt?.words : nil)
  }

  /// Of a book that its venue has refused nothing is seen any more.
  private var nothingOnShow: TruthSample? {
    BookCatalogue.instrument(symbol).map { named in
      TruthSample(
        instrument: InstrumentKey(named.venue, symbol), level: .unwatched,
        origin: freshness.origin, isGrouped: !grouping.isNone, cause: nil)
    }
  }
}
