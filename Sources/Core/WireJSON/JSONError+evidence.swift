extension JSONError {
  private var expected: String {
    switch reason {
    case .truncated: "more text"
    case .unexpectedCharacter: "JSON"
    case .wrongType: "a value of the documented type"
    case .numberOutOfRange: "an exact number in range"
    case .badString: "a well-formed string"
    case .tooLong: "a shorter text"
    case .tooDeep: "at most \(JSONCursor.maximumDepth) levels"
    case .duplicateKey: "each key once"
    case .missingKey: "all keys of the row"
    case .trailingCharacters: "the end of the message"
    }
  }

  /// For logs: "BitMEX trade: expected each key once at byte 70, found … (duplicateKey)".
  public func sentence(about subject: String, found: String) -> String {
    "\(subject): expected \(expected) at byte \(offset), "
      + "found \(found.isEmpty ? "the end" : found) (\(reason.rawValue))"
  }

  /// At most 24 characters of the text from the offset on, with "?" for all but printable ASCII.
  public func found(in bytes: Span<UInt8>) -> String {
    var text: [UInt8] = []
    var index = max(0, offset)
    while index < bytes.count, text.count < 24 {
      let byte = bytes[index]
      text.append(byte >= 0x20 && byte < 0x7f ? byte : UInt8(ascii: "?"))
      index += 1
    }
    return String(decoding: text, as: UTF8.self)
  }
}
