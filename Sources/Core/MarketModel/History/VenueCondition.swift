/// The operating state that a venue reports over REST.
public enum VenueCondition: Hashable, Sendable {
  case online
  /// No trading, and few requests are served.
  case maintenance
  /// Limited trading: "cancel_only", "post_only", "limit_only" or another name.
  case limited(String)

  /// The text after "The venue is "; nil when everything works.
  public var words: Sentence? {
    switch self {
    case .online: nil
    case .maintenance: "in maintenance"
    case .limited(let name): "in the state \u{201C}\(name)\u{201D}"
    }
  }
}
