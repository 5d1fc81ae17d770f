/// A syntax error in a configuration file.
public struct ConfigurationTextError: Error, Equatable, Sendable {
  /// The line number, from 1.
  public let line: Int
  /// What was expected, in a few words.
  public let message: String
}

/// One key with its value.
public struct ConfigurationEntry: Equatable, Sendable {
  /// The value of a key.
  public enum Value: Equatable, Sendable {
    /// A string without quotes and escapes.
    case text(String)
    case number(Int64)
    case truth(Bool)
    case list([String])
  }

  /// Letters, digits, `-` and `_`.
  public let key: String
  /// The key's value.
  public let value: Value
  /// The key's line number, from 1.
  public let line: Int
}

/// Parses a configuration file.
///
/// The syntax is a strict subset of TOML: `key = value` lines with strings, integers, booleans and
/// lists of strings. Anything else, and a duplicate key, is an error with its line.
public struct ConfigurationText {
  /// The maximum size in bytes.
  public static let maximumBytes = 64 << 10
  /// The maximum number of keys, and of strings in a list.
  public static let maximumEntries = 256

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var line = 1

  /// All entries in order.
  ///
  /// O(bytes).
  public static func entries(
    of text: String
  ) throws(ConfigurationTextError) -> [ConfigurationEntry] {
    guard text.utf8.count <= maximumBytes else {
      throw ConfigurationTextError(line: 1, message: "more than \(maximumBytes) bytes")
    }
    var reader = ConfigurationText(scalars: Array(text.unicodeScalars))
    return try reader.readAll()
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private func wrong(_ message: String) -> ConfigurationTextError {
    ConfigurationTextError(line: line, message: message)
  }

  private mutating func readAll() throws(ConfigurationTextError) -> [ConfigurationEntry] {
    var entries: [ConfigurationEntry] = []
    while true {
      try skipToContent()
      guard next != nil else { return entries }
      let entry = try readEntry()
      if let first = entries.first(where: { $0.key == entry.key }) {
        throw ConfigurationTextError(
          line: entry.line, message: "“\(entry.key)” stands on line \(first.line) already")
      }
      guard entries.count < ConfigurationText.maximumEntries else { throw wrong("too many keys") }
      entries.append(entry)
    }
  }

  private mutating func readEntry() throws(ConfigurationTextError) -> ConfigurationEntry {
    let start = line
    let key = readWord()
    guard !key.isEmpty else {
      throw wrong(next == "[" ? "there are no tables here, only keys" : "expected key = value")
    }
    skipBlanks()
    guard next == "=" else { throw wrong("expected “=” after “\(key.prefix(40))”") }
    position += 1
    skipBlanks()
    let value = try readValue()
    skipBlanks()
    skipComment()
    guard next == nil || next == "\n" || next == "\r" else {
      throw wrong("expected the end of the line after the value")
    }
    return ConfigurationEntry(key: key, value: value, line: start)
  }

  private mutating func readValue() throws(ConfigurationTextError) -> ConfigurationEntry.Value {
    switch next {
    case "\"", "'": return .text(try readString())
    case "[": return .list(try readList())
    default: break
    }
    let word = readWord(and: "+")
    switch word {
    case "true": return .truth(true)
    case "false": return .truth(false)
    default: break
    }
    // TOML allows single underscores between digits.
    let digits = word.split(separator: "_", omittingEmptySubsequences: false)
    if digits.allSatisfy({ !$0.isEmpty }), let number = Int64(digits.joined()) {
      return .number(number)
    }
    throw wrong("expected a \"text\", a whole number, true, false or a [list]")
  }

  private mutating func readList() throws(ConfigurationTextError) -> [String] {
    var list: [String] = []
    position += 1
    while true {
      try skipToContent()
      if next == "]" { break }
      guard next == "\"" || next == "'" else { throw wrong("expected a \"text\" or “]”") }
      guard list.count < ConfigurationText.maximumEntries else { throw wrong("too long a list") }
      list.append(try readString())
      try skipToContent()
      guard next == "," else { break }
      position += 1
    }
    guard next == "]" else { throw wrong("expected “,” or “]”") }
    position += 1
    return list
  }

  /// A single-line string, in double quotes with escapes or in single quotes without.
  private mutating func readString() throws(ConfigurationTextError) -> String {
    let quote = next
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = next, scalar != quote {
      guard scalar.value >= 0x20 || scalar == "\t", scalar.value != 0x7f else {
        throw wrong("a text ends on its line and holds no control characters")
      }
      position += 1
      text.append(scalar == "\\" && quote == "\"" ? try readEscape() : scalar)
    }
    guard next != nil else { throw wrong("a text lacks its closing quote") }
    position += 1
    return String(text)
  }

  private mutating func readEscape() throws(ConfigurationTextError) -> Unicode.Scalar {
    guard let scalar = next else { throw wrong("a text lacks its closing quote") }
    position += 1
    switch scalar {
    case "\"", "\\": return scalar
    case "n": return "\n"
    case "t": return "\t"
    case "u":
      let digits = scalars[position...].prefix(4)
      position += digits.count
      let isHex = digits.allSatisfy { $0.properties.isASCIIHexDigit }
      let text = String(String.UnicodeScalarView(digits))
      guard digits.count == 4, isHex, let value = UInt32(text, radix: 16),
        let read = Unicode.Scalar(value)
      else { throw wrong("expected four hexadecimal digits of a character after \\u") }
      return read
    default: throw wrong("expected one of \\\" \\\\ \\n \\t \\uXXXX")
    }
  }

  private mutating func readWord(and other: Unicode.Scalar = "-") -> String {
    let start = position
    while let scalar = next, scalar.isASCII,
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-"
        || scalar == "_" || scalar == other
    {
      position += 1
    }
    return String(String.UnicodeScalarView(scalars[start..<position]))
  }

  private mutating func skipBlanks() { while next == " " || next == "\t" { position += 1 } }

  private mutating func skipComment() {
    guard next == "#" else { return }
    while let scalar = next, scalar != "\n" {
      _ = scalar
      position += 1
    }
  }

  /// Skips blanks, comments and line ends, counting lines.
  private mutating func skipToContent() throws(ConfigurationTextError) {
    while true {
      skipBlanks()
      skipComment()
      switch next {
      case "\n":
        line += 1
        position += 1
      case "\r":
        position += 1
        guard next == "\n" else { throw wrong("a carriage return without a line feed") }
      default: return
      }
    }
  }
}
