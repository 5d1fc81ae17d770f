/// Logs each warning of a venue once, so that one in every response can't fill the disk.
struct VenueWarnings {
  /// The limit; further warnings are not logged.
  static let maximumCount = 64

  private var known: Set<String> = []

  mutating func isNew(_ warning: String) -> Bool {
    known.count < Self.maximumCount && known.insert(warning).inserted
  }
}
