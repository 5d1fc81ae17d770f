// The table of venues: a new one is a row here, and the compiler asks for it.

public import MarketModel

extension Venue {
  /// What the program knows of the venue.
  public var descriptor: VenueDescriptor {
    switch self {
    case .bitmex: .bitmex
    case .kraken: .kraken
    case .isin: .isin
    case .bux: .bux
    case .echo: .echo
    case .exchange: .exchange
    }
  }

  /// The venue's name for people, fit for any place in a sentence.
  public var displayName: String { descriptor.displayName }

  /// Why there is no live venue any more, for people; nil for venues that are open.
  public var closure: String? { descriptor.closure }

  /// The prefix of the simulated venue's paths: "/kraken".
  public var simulatedPrefix: String { "/" + rawValue }
}
