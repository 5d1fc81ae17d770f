/// A venue's checksum of the ten best rows a side, from the message that last changed the book.
///
/// It is the venue's value, not a computed one, and is kept even if the rows contradict it.
public struct BookProof: Hashable, Sendable {
  /// The venue's CRC-32.
  public let checksum: UInt32
  /// When its message arrived.
  public let at: ClockReading

  /// Creates a proof.
  public init(checksum: UInt32, at: ClockReading) {
    self.checksum = checksum
    self.at = at
  }
}
