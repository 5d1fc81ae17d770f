/// The rule about docs/requirements.md: each requirement links to existing code and tests.
enum RequirementsRule {
  static let path = "docs/requirements.md"
  private static let areas = ["EX", "OB", "WL", "PD", "PT", "LT"]

  /// Lines that open with a requirement's name but do not name a file of code and one of tests,
  /// both existing.
  ///
  /// Lines with "not built" are exempt.
  static func links(_ file: SourceFile, existing paths: Set<String>) -> [Finding] {
    guard file.path == path else { return [] }
    return file.lines.indices.flatMap { index -> [Finding] in
      let line = file.lines[index]
      guard let name = requirement(line), !line.lowercased().contains("not built") else {
        return []
      }
      let named = files(line)
      var findings = named.filter { !paths.contains($0) }.map {
        file.finding(index, "\(name) names \($0), which does not exist; correct the path")
      }
      if named.allSatisfy(SourceFile.isTest) {
        findings.append(
          file.finding(index, "\(name) names no code; add `Sources/…` or say not built"))
      }
      if !named.contains(where: SourceFile.isTest) {
        findings.append(
          file.finding(index, "\(name) names no test; add `Tests/…` or say not built"))
      }
      return findings
    }
  }

  /// "PT1" of "| PT1 | … |" or "- PT1 …".
  static func requirement(_ line: String) -> String? {
    let text = line.drop { " |-*`".contains($0) }
    let name = text.prefix { $0.isLetter || $0.isNumber }
    guard areas.contains(String(name.prefix(2))), name.count > 2,
      name.dropFirst(2).allSatisfy(\.isNumber)
    else { return nil }
    return String(name)
  }

  /// Backticked texts that look like a file, with a folder and an extension.
  static func files(_ line: String) -> [String] {
    let parts = line.split(separator: "`", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 && $0 < parts.count - 1 }.map { String(parts[$0]) }
      .filter { $0.contains("/") && ($0.split(separator: "/").last?.contains(".") ?? false) }
      .filter { !$0.contains(" ") && !$0.contains("://") && !$0.hasPrefix("/") }
  }
}
