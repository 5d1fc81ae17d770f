/// The number of a message in its stream, where each message has a higher one than the last.
public struct StreamNumber: Equatable, Sendable {
  /// The stream's name in messages.
  public let stream: String
  /// The number.
  public let number: Int64

  /// Creates a number.
  public init(_ stream: String, _ number: Int64) { (self.stream, self.number) = (stream, number) }
}
