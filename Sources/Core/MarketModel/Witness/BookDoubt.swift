/// Why a book may differ from the venue's and is refetched, or why its snapshot has to wait.
public enum BookDoubt: String, CaseIterable, Hashable, Sendable {
  /// The checksum differs from the venue's.
  case checksum
  /// Messages of the venue's count are missing.
  case gap
  /// The best bid is at or above the best ask.
  case crossed
  /// Changes refer to missing levels, so earlier changes were lost.
  case unknownLevel
  /// A message that may have changed the book was unreadable.
  case unreadable
  /// The best levels that the venue sends separately have differed for too long.
  case audit
  /// The venue rejects requests for its snapshot from this location.
  case location
  /// The venue limits requests, so its snapshot comes later.
  case limit
}
