// How a venue says it is, where it is asked beside its stream.

/// Whether a venue works, in its own word.
public enum VenueCondition: Hashable, Sendable {
  /// Everything works.
  case online
  /// Nothing is traded and little is answered.
  case maintenance
  /// Trading is limited: "cancel_only", "post_only", "limit_only", or whatever it may be called.
  case limited(String)

  /// What follows "The venue is "; nil while everything works.
  public var words: String? {
    switch self {
    case .online: nil
    case .maintenance: "in maintenance"
    case .limited(let name): "in the state \u{201C}\(name)\u{201D}"
    }
  }
}
