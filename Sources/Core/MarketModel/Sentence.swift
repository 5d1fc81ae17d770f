/// A text for the user as a key and its arguments, from which a page writes it in its language.
///
/// English is the key: the literal `"\(venue) is restarting."` has the key "{0} is restarting.".
/// Sentences are equal if their English texts are.
public struct Sentence: Sendable {
  /// What is inserted into a key.
  public enum Argument: Sendable {
    /// A name or a figure, the same in every language.
    case text(String)
    /// Another sentence, translated in turn.
    case sentence(Sentence)
  }

  /// The English text, with `{0}` for the first argument, and so on.
  public let key: String
  /// The arguments; those that the key omits are not shown.
  public let arguments: [Argument]

  /// Creates a sentence from its parts.
  public init(key: String, arguments: [Argument] = []) {
    (self.key, self.arguments) = (key, arguments)
  }

  /// A text from outside, which has no translation.
  public init(verbatim text: String) {
    self.init(key: "{0}", arguments: [.text(text)])
  }

  /// Several sentences with blanks or another text between them; at most 12.
  public init(joining sentences: [Sentence], by separator: String = " ") {
    var key = ""
    for index in sentences.indices { key += (index == 0 ? "" : separator) + "{\(index)}" }
    self.init(key: key, arguments: sentences.map { .sentence($0) })
  }

  /// Appends the English text, O(length).
  private func append(to text: inout [UInt8]) {
    let bytes = Array(key.utf8)
    var start = 0
    while start < bytes.count {
      if let (index, end) = Sentence.placeholder(in: bytes, at: start), index < arguments.count {
        switch arguments[index] {
        case .text(let argument): text.append(contentsOf: argument.utf8)
        case .sentence(let argument): argument.append(to: &text)
        }
        start = end
      } else {
        text.append(bytes[start])
        start += 1
      }
    }
  }

  /// The number in "{7}" or "{12}" at an offset, and the offset of its end; nil for anything else.
  private static func placeholder(in bytes: [UInt8], at start: Int) -> (index: Int, end: Int)? {
    guard bytes[start] == UInt8(ascii: "{") else { return nil }
    var (index, offset) = (0, start + 1)
    while offset < bytes.count, offset < start + 3,
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[offset]
    {
      index = index * 10 + Int(bytes[offset] - UInt8(ascii: "0"))
      offset += 1
    }
    guard offset > start + 1, offset < bytes.count, bytes[offset] == UInt8(ascii: "}") else {
      return nil
    }
    return (index, offset + 1)
  }
}

extension Sentence: CustomStringConvertible {
  /// The English text.
  public var description: String {
    guard !arguments.isEmpty else { return key }
    var text: [UInt8] = []
    append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}

// By bytes: Embedded Swift lacks the tables that comparing strings needs.
extension Sentence: Hashable {
  /// Whether the English texts are the same.
  public static func == (one: Sentence, other: Sentence) -> Bool {
    one.description.utf8.elementsEqual(other.description.utf8)
  }

  /// Hashes the English text.
  public func hash(into hasher: inout Hasher) {
    for byte in description.utf8 { hasher.combine(byte) }
  }
}

extension Sentence: ExpressibleByStringInterpolation {
  /// Collects a literal's key and arguments.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    fileprivate var key = ""
    fileprivate var arguments: [Argument] = []

    // Inlined at each literal, these would be a tenth of the page's ticket code.

    /// Starts a literal.
    @inline(never)
    public init(literalCapacity: Int, interpolationCount: Int) {
      key.reserveCapacity(literalCapacity + 3 * interpolationCount)
      arguments.reserveCapacity(interpolationCount)
    }

    /// Appends text of the key.
    @inline(never)
    public mutating func appendLiteral(_ literal: String) { key += literal }

    /// Inserts a sentence, which is translated in turn.
    @inline(never)
    public mutating func appendInterpolation(_ sentence: Sentence) { append(.sentence(sentence)) }

    /// Inserts a text, which is not translated.
    @inline(never)
    public mutating func appendInterpolation(_ text: String) { append(.text(text)) }

    /// Inserts a name or a figure, which is not translated.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      append(.text(value.description))
    }

    @inline(never)
    private mutating func append(_ argument: Argument) {
      key += "{\(arguments.count)}"
      arguments.append(argument)
    }
  }

  /// Creates a sentence from a literal without arguments.
  @inline(never)
  public init(stringLiteral: String) { self.init(key: stringLiteral) }

  /// Creates a sentence from a literal with arguments.
  @inline(never)
  public init(stringInterpolation: StringInterpolation) {
    self.init(key: stringInterpolation.key, arguments: stringInterpolation.arguments)
  }
}

extension Sentence {
  /// The bounds of a sentence from another process.
  public enum Limit {
    /// The most bytes of a key.
    public static let keyBytes = 300
    /// The most arguments.
    public static let arguments = 12
    /// How deep sentences may be nested, the outer one included.
    public static let depth = 4
  }

  /// The sentence with key and arguments cleaned by ``ForeignText``.
  public var cleaned: Sentence {
    Sentence(
      key: ForeignText.clean(key, maximumCharacters: Limit.keyBytes),
      arguments: arguments.map {
        switch $0 {
        case .text(let text): .text(ForeignText.clean(text))
        case .sentence(let sentence): .sentence(sentence.cleaned)
        }
      })
  }
}
