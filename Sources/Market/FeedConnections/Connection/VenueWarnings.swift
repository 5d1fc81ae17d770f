/// The warnings of a venue that are in the log: each is logged once, so that one that comes beside
/// every answer fills no disk.
struct VenueWarnings {
  /// Warnings that are kept; those beyond them are not logged.
  static let maximumCount = 64

  private var known: Set<String> = []

  /// Whether a warning has not been logged.
  mutating func isNew(_ warning: String) -> Bool {
    known.count < Self.maximumCount && known.insert(warning).inserted
  }
}
