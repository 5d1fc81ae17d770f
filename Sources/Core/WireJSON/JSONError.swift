// Why a text is not the JSON that was expected, and where.

/// A defect of a JSON text.
///
/// Nothing of the message that holds it may be used.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of defect.
  public enum Reason: String, Hashable, Sendable {
    /// The text ends inside a value.
    case truncated
    /// A character that the grammar does not allow here.
    case unexpectedCharacter
    /// A value of another type than expected.
    case wrongType
    /// A number that does not fit, or needs more than 18 digits after the point.
    case numberOutOfRange
    /// A string with bad UTF-8, a bad escape or a bare control character.
    case badString
    /// A string that is longer than its bound.
    case tooLong
    /// More levels of arrays and objects than allowed.
    case tooDeep
    /// The same key twice in one object.
    case duplicateKey
    /// A key that must be there is not.
    case missingKey
    /// Something after the end of the value.
    case trailingCharacters
  }

  /// What is wrong.
  public let reason: Reason
  /// Bytes from the start of the message.
  public let offset: Int

  /// Makes an error.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// For logs: "JSON: truncated at byte 17".
  public var description: String { "JSON: \(reason.rawValue) at byte \(offset)" }
}
