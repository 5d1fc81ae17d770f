// What is at an address: known only from where the address came from. A host that looks like this
// machine may be anything, and a simulator may run on another one.

/// Where a venue's address came from.
public enum AddressSource: Hashable, Sendable {
  /// Livetape's own simulated venues.
  case simulator
  /// The venue's public address.
  case published
  /// Somebody gave it.
  case given

  /// Where the data at such an address comes from.
  public var origin: DataOrigin {
    switch self {
    case .simulator: .simulated
    case .published: .venue
    case .given: .custom
    }
  }
}
