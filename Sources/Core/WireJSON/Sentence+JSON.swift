public import MarketModel

// The shape of a sentence: its key as a string, or the key and its arguments as an array, of which
// each is a string or, for a sentence, an array in turn.

extension JSONWriter {
  /// Writes a sentence: a string without arguments, else an array.
  public mutating func sentence(_ sentence: Sentence) {
    if sentence.arguments.isEmpty { string(sentence.key) } else { parts(of: sentence) }
  }

  /// Writes a key that needs no escapes, and a sentence.
  public mutating func member(_ name: StaticString, _ sentence: Sentence) {
    key(name)
    self.sentence(sentence)
  }

  /// Writes a sentence, or `null`.
  public mutating func optional(_ sentence: Sentence?) {
    if let sentence { self.sentence(sentence) } else { null() }
  }

  private mutating func parts(of sentence: Sentence) {
    beginArray()
    string(sentence.key)
    for argument in sentence.arguments {
      switch argument {
      case .text(let text): string(text)
      case .sentence(let sentence): parts(of: sentence)
      }
    }
    endArray()
  }
}

extension JSONCursor {
  /// Reads a sentence within ``Sentence/Limit``.
  public mutating func sentence(_ bytes: Span<UInt8>) throws(JSONError) -> Sentence {
    if try peek(bytes) == UInt8(ascii: "[") { return try parts(bytes, depth: 1) }
    return Sentence(key: try sentenceKey(bytes))
  }

  private mutating func parts(
    _ bytes: Span<UInt8>, depth: Int
  ) throws(JSONError) -> Sentence {
    guard depth <= Sentence.Limit.depth else { throw JSONError(.tooDeep, at: offset) }
    try beginArray(bytes)
    var first = true
    guard try nextElement(bytes, first: &first) else { throw JSONError(.wrongType, at: offset) }
    let key = try sentenceKey(bytes)
    var arguments: [Sentence.Argument] = []
    while try nextElement(bytes, first: &first) {
      guard arguments.count < Sentence.Limit.arguments else {
        throw JSONError(.tooLong, at: offset)
      }
      if try peek(bytes) == UInt8(ascii: "[") {
        arguments.append(.sentence(try parts(bytes, depth: depth + 1)))
      } else {
        // Six bytes are the longest escape of a byte.
        arguments.append(
          .text(try text(bytes, maximumBytes: 6 * ForeignText.maximumCharacters)))
      }
    }
    return Sentence(key: key, arguments: arguments)
  }

  private mutating func sentenceKey(_ bytes: Span<UInt8>) throws(JSONError) -> String {
    let key = try text(bytes, maximumBytes: 6 * Sentence.Limit.keyBytes)
    guard key.utf8.count <= Sentence.Limit.keyBytes else {
      throw JSONError(.tooLong, at: offset)
    }
    return key
  }
}

extension Sentence {
  /// The sentence as JSON.
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.sentence(self)
    return writer.bytes
  }

  /// The most bytes of ``jsonText``.
  public static let maximumJSONBytes = 2048

  /// The sentence cleaned and as JSON on one line, for another process.
  ///
  /// A sentence beyond the bounds is sent as its English text, which is cut.
  public var jsonText: String {
    var json = cleaned.json
    if json.count > Sentence.maximumJSONBytes || Sentence(json: json) == nil {
      json = Sentence(verbatim: description).cleaned.json
    }
    return String(decoding: json, as: UTF8.self)
  }

  /// Reads and cleans a sentence from another process; nil for anything else.
  public init?(json: [UInt8]) {
    do throws(JSONError) {
      let bytes = ContiguousArray(json)
      let span = bytes.span  // rule-exception: a ContiguousArray
      var cursor = JSONCursor()
      self = try cursor.sentence(span).cleaned
      try cursor.finish(span)
    } catch { return nil }
  }
}
