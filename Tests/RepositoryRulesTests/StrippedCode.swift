/// Swift source without comments and string literals, for rules about code.
///
/// Spaces replace them, so that lines keep their numbers.
enum StrippedCode {
  /// The lines of `text` with comments and the contents of string literals blanked.
  ///
  /// Code inside `\(…)` stays.
  static func lines(of text: String) -> [String] {
    var scanner = Scanner(bytes: Array(text.utf8))
    scanner.run()
    return scanner.output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private enum Context {
    /// Code; the count of open parentheses matters inside an interpolation.
    case code(parentheses: Int)
    /// A literal with its number of `#` and of quotes (1 or 3).
    case literal(hashes: Int, quotes: Int)
  }

  /// Scans the bytes once; each byte of a non-ASCII letter becomes a space.
  private struct Scanner {
    let bytes: [UInt8]
    var output: [UInt8] = []
    var position = 0
    var stack: [Context] = [.code(parentheses: 0)]

    mutating func run() {
      output.reserveCapacity(bytes.count)
      while position < bytes.count {
        switch stack.last ?? .code(parentheses: 0) {
        case .code(let parentheses): code(parentheses)
        case .literal(let hashes, let quotes): literal(hashes, quotes)
        }
      }
    }

    private func has(_ text: StaticString, at offset: Int = 0) -> Bool {
      let start = position + offset
      guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
      return text.withUTF8Buffer { wanted in
        wanted.indices.allSatisfy { bytes[start + $0] == wanted[$0] }
      }
    }

    private func has(_ count: Int, of text: StaticString, at offset: Int) -> Bool {
      (0..<count).allSatisfy { has(text, at: offset + $0) }
    }

    private mutating func keep(_ count: Int = 1) {
      output += bytes[position..<min(position + count, bytes.count)]
      position += count
    }

    private mutating func blank(_ count: Int = 1) {
      for byte in bytes[position..<min(position + count, bytes.count)] {
        output.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
      }
      position += count
    }

    private mutating func code(_ parentheses: Int) {
      if has("//") {
        while position < bytes.count, !has("\n") { blank() }
      } else if has("/*") {
        comment()
      } else if let opening = literalOpening() {
        keep(opening.hashes + opening.quotes)
        stack.append(.literal(hashes: opening.hashes, quotes: opening.quotes))
      } else if has(")"), parentheses == 0, stack.count > 1 {
        keep()
        stack.removeLast()
      } else {
        let change = has("(") ? 1 : has(")") ? -1 : 0
        if change != 0 { stack[stack.count - 1] = .code(parentheses: parentheses + change) }
        keep()
      }
    }

    /// Block comments nest.
    private mutating func comment() {
      var depth = 0
      repeat {
        let change = has("/*") ? 1 : has("*/") ? -1 : 0
        depth += change
        blank(change == 0 ? 1 : 2)
      } while depth > 0 && position < bytes.count
    }

    private func literalOpening() -> (hashes: Int, quotes: Int)? {
      guard has("\"") || has("#") else { return nil }
      var hashes = 0
      while has("#", at: hashes) { hashes += 1 }
      guard has("\"", at: hashes) else { return nil }
      return (hashes, has(3, of: "\"", at: hashes) ? 3 : 1)
    }

    private mutating func literal(_ hashes: Int, _ quotes: Int) {
      if has("\\"), has(hashes, of: "#", at: 1) {
        let opensInterpolation = has("(", at: 1 + hashes)
        blank(hashes + 2)
        if opensInterpolation { stack.append(.code(parentheses: 0)) }
      } else if has(quotes, of: "\"", at: 0), has(hashes, of: "#", at: quotes) {
        keep(quotes + hashes)
        stack.removeLast()
      } else if quotes == 1, has("\n") {
        // A literal that is not closed on its line is invalid Swift; continue as code.
        stack.removeLast()
      } else {
        blank()
      }
    }
  }
}
