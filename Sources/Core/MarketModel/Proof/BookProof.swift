/// The venue's checksum of the ten best rows a side, as sent, even if the rows contradict it.
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
