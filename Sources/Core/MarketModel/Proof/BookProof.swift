// What a venue proves a book with, beside the very rows that it is about.

/// A venue's checksum of the ten best rows a side, from the message that last changed the book.
///
/// It is what the venue said, not what was found: rows that it contradicts come with it, too.
public struct BookProof: Hashable, Sendable {
  /// The venue's CRC-32.
  public let checksum: UInt32
  /// When its message came.
  public let at: ClockReading

  /// Puts both together.
  public init(checksum: UInt32, at: ClockReading) {
    self.checksum = checksum
    self.at = at
  }
}
