import MarketModel
import WireJSON

/// A JSON object of texts, integers, flags and sentences, the format of commands and responses on
/// the bus.
struct FlatObject {
  /// Longer than any command or response.
  static let maximumBytes = 8192
  static let maximumTextBytes = 2048

  private enum Value {
    case text(String)
    /// A sentence with arguments.
    case sentence(Sentence)
    case integer(Int64)
    case flag(Bool)
  }

  private var members: [String: Value] = [:]

  init?(_ bytes: [UInt8]) {
    guard bytes.count <= FlatObject.maximumBytes else { return nil }
    do throws(JSONError) {
      let bytes = ContiguousArray(bytes)
      try read(bytes.span)  // rule-exception: a ContiguousArray
    } catch { return nil }
  }

  private mutating func read(_ bytes: Span<UInt8>) throws(JSONError) {
    var cursor = JSONCursor()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      let name = JSONText.decode(bytes, key)
      guard members[name] == nil else { throw JSONError(.duplicateKey, at: key.lowerBound) }
      switch try cursor.peek(bytes) {
      case UInt8(ascii: "\""):
        let text = try cursor.text(bytes, maximumBytes: FlatObject.maximumTextBytes)
        members[name] = .text(text)
      case UInt8(ascii: "["): members[name] = .sentence(try cursor.sentence(bytes).cleaned)
      case UInt8(ascii: "t"), UInt8(ascii: "f"):
        members[name] = .flag(try cursor.boolean(bytes))
      default: members[name] = .integer(try cursor.integer(bytes))
      }
    }
    try cursor.finish(bytes)
  }

  func text(_ name: String) -> String? {
    if case .text(let text)? = members[name] { text } else { nil }
  }

  /// A sentence with or without arguments, within the bounds of ``Sentence``.
  func sentence(_ name: String) -> Sentence? {
    switch members[name] {
    case .sentence(let sentence): sentence
    case .text(let key) where !key.isEmpty && key.utf8.count <= Sentence.Limit.keyBytes:
      Sentence(key: key).cleaned
    default: nil
    }
  }

  func integer(_ name: String) -> Int64? {
    if case .integer(let value)? = members[name] { value } else { nil }
  }

  func flag(_ name: String) -> Bool? {
    if case .flag(let value)? = members[name] { value } else { nil }
  }

  func has(_ name: String) -> Bool { members[name] != nil }
}
