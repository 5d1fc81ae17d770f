/// A defect of a JSON text; the whole message must be rejected.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of defect.
  public enum Reason: String, Hashable, Sendable {
    /// The text ends inside a value.
    case truncated
    case unexpectedCharacter
    case wrongType
    /// A number that does not fit, or needs more than 18 digits after the point.
    case numberOutOfRange
    /// A string with bad UTF-8, a bad escape or a bare control character.
    case badString
    case tooLong
    case tooDeep
    case duplicateKey
    /// A required key is missing.
    case missingKey
    case trailingCharacters
  }

  /// The kind of defect.
  public let reason: Reason
  /// Bytes from the start of the message.
  public let offset: Int

  /// Creates an error.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// For logs: "JSON: truncated at byte 17".
  public var description: String { "JSON: \(reason.rawValue) at byte \(offset)" }
}
