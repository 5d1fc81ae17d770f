/// Rules about the names of types: a name declared in two targets is ambiguous to readers.
enum NameRules {
  private static let kinds = ["struct ", "class ", "enum ", "protocol ", "actor ", "typealias "]

  static func twice(_ files: [SourceFile]) -> [Finding] {
    var first: [String: (target: String, path: String)] = [:]
    var findings: [Finding] = []
    for file in files where file.isSwift {
      guard let target = file.target, !target.hasSuffix("Tests") else { continue }
      for (index, line) in file.lines.enumerated() {
        guard let name = declared(line) else { continue }
        let known = first[name] ?? (target, file.path)
        first[name] = known
        guard known.target != target else { continue }
        findings.append(
          file.finding(index, "\(name) is a type of \(known.path), too; give it another name"))
      }
    }
    return findings
  }

  /// The type that a top-level line declares for other files; nil for none.
  private static func declared(_ line: some StringProtocol) -> String? {
    guard line.first?.isWhitespace == false, !line.hasPrefix("//"), !line.contains("private ")
    else { return nil }
    for kind in kinds {
      guard let range = line.firstRange(of: kind) else { continue }
      let before = line[..<range.lowerBound]
      let isModifier = before.allSatisfy { $0.isLetter || "@() ".contains($0) }
      guard isModifier, before.isEmpty || before.last == " " else { continue }
      let name = line[range.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      return name.isEmpty ? nil : String(name)
    }
    return nil
  }
}
