// LT2 in words: who vouches for the rows of a book, and how old that proof is.

public import MarketModel
import VenueProtocols

/// Says what a book is proven by.
public enum BookProofText {
  /// "Rows 1 to 10 proven by Kraken's checksum · 2 s ago"; nil where the venue sends none, and for
  /// rows that cannot be believed now.
  public static func words(_ book: BookState, at now: ClockReading) -> String? {
    guard let proof = book.proof?.proof, let instrument = book.instrument,
      !book.freshness.state.isDimmed
    else { return nil }
    let name = instrument.venue.displayName
    return "Rows 1 to \(BookChecksum.depth) proven by \(name)'s checksum · "
      + AgeText.since(proof.at, at: now)
  }
}
