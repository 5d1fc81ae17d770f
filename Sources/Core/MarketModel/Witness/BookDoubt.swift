// Why a book is fetched anew.

/// What showed that a book may be another than the venue's.
public enum BookDoubt: String, CaseIterable, Hashable, Sendable {
  /// The venue's checksum is another one.
  case checksum
  /// The best bid is at or above the best ask.
  case crossed
  /// Changes named levels that are not there: some before them were lost.
  case unknownLevel
  /// A message that may have changed the book could not be read.
  case unreadable
  /// The best levels that the venue sends apart from the book have been others for too long.
  case audit
}
