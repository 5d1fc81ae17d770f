/// A breach of a house rule, with its remedy.
struct Finding: Hashable, CustomStringConvertible {
  let path: String
  /// Counted from 1; 0 for the file as a whole.
  let line: Int
  /// What is wrong and what to write instead.
  let message: String

  var description: String { line == 0 ? "\(path): \(message)" : "\(path):\(line): \(message)" }
}

struct SourceFile {
  /// From the repository's root, with slashes.
  let path: String
  let lines: [String]
  /// The same lines with comments and string literals blanked; empty for anything but Swift.
  let code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    code = path.hasSuffix(".swift") ? StrippedCode.lines(of: text) : []
  }

  var isSwift: Bool { path.hasSuffix(".swift") }

  /// The target of the file, by its folder; nil outside of all targets.
  ///
  /// `Sources/HOUSE/X/…`, `Apps/X/…`, `Proof/X/…` and `Tests/X/…` are X, `Web/…` is LivetapeWeb.
  var anyTarget: String? {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.count > 1, parts[0] != "Web" else { return parts.count > 1 ? "LivetapeWeb" : nil }
    guard ["Sources", "Apps", "Proof", "Tests"].contains(parts[0]) else { return nil }
    let isGrouped = parts[0] == "Sources" || Self.scaffolding.contains(parts[1])
    let place = isGrouped ? 2 : 1
    return parts.count > place + 1 ? parts[place] : nil
  }

  /// The target, unless it serves tests only.
  var target: String? {
    let parts = path.split(separator: "/").prefix(2).map(String.init)
    return parts.first == "Tests" || parts.contains(where: Self.scaffolding.contains)
      ? nil : anyTarget
  }

  private static let scaffolding: Set = [
    "Autobahn", "Benchmarks", "Fixtures", "Fuzz", "Previews", "PublicClients", "StandIns", "Tests",
  ]

  /// Whether the path is a test's: `Tests/…` or `Apps/Tests/…`.
  static func isTest(_ path: String) -> Bool {
    path.hasPrefix("Tests/") || path.hasPrefix("Apps/Tests/")
  }

  func finding(_ index: Int, _ message: String) -> Finding {
    Finding(path: path, line: index + 1, message: message)
  }

  /// Whether `// rule-exception: reason` on the line or the one above excuses it.
  func isExcused(_ index: Int) -> Bool {
    [index, index - 1].contains { place in
      guard lines.indices.contains(place),
        let mark = lines[place].firstRange(of: "// rule-exception: ")
      else { return false }
      return lines[place][mark.upperBound...].count >= 10
    }
  }

  /// Whether a line has a `//` comment on it or above.
  func hasComment(_ index: Int) -> Bool {
    [index, index - 1].contains { lines.indices.contains($0) && lines[$0].contains("// ") }
  }

  /// A finding for each matching line of code that is not excused.
  func findings(where matches: (String) -> Bool, _ message: String) -> [Finding] {
    code.indices.filter { matches(code[$0]) && !isExcused($0) }.map { finding($0, message) }
  }
}

extension String {
  /// Compares bytes, a small part of the work of comparing characters.
  func contains(_ text: String) -> Bool {
    var (own, text) = (self, text)
    return own.withUTF8 { bytes in
      text.withUTF8 { wanted in
        guard let first = wanted.first, bytes.count >= wanted.count else { return wanted.isEmpty }
        return (0...bytes.count - wanted.count).contains { start in
          bytes[start] == first
            && wanted.indices.allSatisfy { bytes[start + $0] == wanted[$0] }
        }
      }
    }
  }
}

extension StringProtocol {
  /// Whether `word` occurs with no letter, digit or underscore around it.
  func containsWord(_ word: String) -> Bool {
    String(self).contains(word)
      && ranges(of: word).contains { range in
        let before = range.lowerBound == startIndex ? nil : self[index(before: range.lowerBound)]
        let after = range.upperBound == endIndex ? nil : self[range.upperBound]
        return ![before, after].contains {
          $0.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
        }
      }
  }
}
