/// The messages since a book's snapshot, none of which is missing by the venue's numbers; the claim
/// of a book without a checksum.
public struct UnbrokenSequence: Hashable, Sendable {
  /// Messages that the venue numbers together, whatever their contents, the snapshot included:
  /// those of the book, or at Coinbase of the connection.
  public let messages: Int64
  /// When the latest one came.
  public let at: ClockReading

  /// Creates a claim.
  public init(messages: Int64, at: ClockReading) { (self.messages, self.at) = (messages, at) }
}
