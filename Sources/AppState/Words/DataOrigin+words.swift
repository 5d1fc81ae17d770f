// What is said of values that no real venue sent.

public import MarketModel

extension DataOrigin {
  /// The badge beside the values; nil for those of a real venue, which need none.
  public var badge: String? {
    switch self {
    case .venue: nil
    case .simulated: "Simulated"
    case .replay: "Replay"
    case .custom: "Custom address"
    }
  }

  /// What the badge means, where the word alone does not say it.
  public var explanation: String? {
    switch self {
    case .venue, .replay: nil
    case .simulated: "Made by Livetape's own simulator: not a real market"
    case .custom: "From an address that was given, not the venue's public one"
    }
  }
}
