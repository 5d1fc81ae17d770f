// Reads the old-style property list that an Xcode project is written in. Foundation on Linux reads
// it too, but forgives repeated keys; here they are an error, since Xcode drops one of the objects.

/// A value of an old-style property list.
indirect enum ProjectValue: Equatable {
  case text(String)
  case list([ProjectValue])
  case table([String: ProjectValue])

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var list: [ProjectValue]? { if case .list(let list) = self { list } else { nil } }
  var table: [String: ProjectValue]? { if case .table(let table) = self { table } else { nil } }

  /// The texts of a list; a text alone is a list of one, nothing else holds texts.
  var texts: [String] { text.map { [$0] } ?? list?.compactMap(\.text) ?? [] }
}

/// Why a text is no property list, and at which byte.
enum ProjectSyntaxError: Error, Equatable {
  case expected(String, at: Int)
  case repeatedKey(String)
  case tooDeep
}

/// A recursive descent over the bytes.
struct XcodeProjectParser {
  private static let deepest = 32
  private let bytes: [UInt8]
  private var position = 0

  /// The property list of a whole text.
  static func parse(_ text: String) throws(ProjectSyntaxError) -> ProjectValue {
    var parser = XcodeProjectParser(bytes: Array(text.utf8))
    let value = try parser.value(depth: 0)
    try parser.skip()
    guard parser.position == parser.bytes.count else {
      throw .expected("the end", at: parser.position)
    }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func starts(_ mark: String) -> Bool { bytes[position...].starts(with: mark.utf8) }

  private mutating func value(depth: Int) throws(ProjectSyntaxError) -> ProjectValue {
    guard depth < XcodeProjectParser.deepest else { throw .tooDeep }
    try skip()
    switch next {
    case UInt8(ascii: "{"): return .table(try table(depth: depth))
    case UInt8(ascii: "("): return .list(try list(depth: depth))
    default: return .text(try string())
    }
  }

  private mutating func table(
    depth: Int
  ) throws(ProjectSyntaxError) -> [String: ProjectValue] {
    position += 1
    var table: [String: ProjectValue] = [:]
    while try !take("}") {
      let key = try string()
      try expect("=")
      let value = try value(depth: depth + 1)
      try expect(";")
      guard table.updateValue(value, forKey: key) == nil else { throw .repeatedKey(key) }
    }
    return table
  }

  private mutating func list(depth: Int) throws(ProjectSyntaxError) -> [ProjectValue] {
    position += 1
    var list: [ProjectValue] = []
    while try !take(")") {
      list.append(try value(depth: depth + 1))
      if try take(")") { break }
      try expect(",")
    }
    return list
  }

  private mutating func string() throws(ProjectSyntaxError) -> String {
    try skip()
    if next == UInt8(ascii: "\"") { return try quoted() }
    let start = position
    while let byte = next, isPlain(byte), !starts("//"), !starts("/*") { position += 1 }
    guard position > start else { throw .expected("a text", at: position) }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func quoted() throws(ProjectSyntaxError) -> String {
    let start = position
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard let escaped = next else { break }
      position += 1
      text.append(escaped == UInt8(ascii: "n") ? 10 : escaped)
    }
    throw .expected("the end of a quoted text", at: start)
  }

  private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_./$:-".utf8.contains(byte)
    }
  }

  private mutating func take(_ mark: String) throws(ProjectSyntaxError) -> Bool {
    try skip()
    guard starts(mark) else { return false }
    position += mark.utf8.count
    return true
  }

  private mutating func expect(_ mark: String) throws(ProjectSyntaxError) {
    guard try take(mark) else { throw .expected("'\(mark)'", at: position) }
  }

  /// Skips blanks and both kinds of comments.
  private mutating func skip() throws(ProjectSyntaxError) {
    while let byte = next {
      if byte == 32 || (9...13).contains(byte) {
        position += 1
      } else if starts("//") {
        while let byte = next, byte != 10 { position += 1 }
      } else if starts("/*") {
        let start = position
        position += 2
        while position < bytes.count, !starts("*/") { position += 1 }
        guard position < bytes.count else { throw .expected("the end of a comment", at: start) }
        position += 2
      } else {
        return
      }
    }
  }
}
