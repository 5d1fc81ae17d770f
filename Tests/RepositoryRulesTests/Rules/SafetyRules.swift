/// Rules for all Swift code: no traps, no unexplained unchecked code, no tests that sleep.
enum SafetyRules {
  static func traps(_ file: SourceFile) -> [Finding] {
    guard file.isSwift else { return [] }
    return file.findings(
      where: { $0.contains("try!") }, "try! traps; use try, or try? with a reason")
      + file.findings(where: { $0.contains(" as!") }, "as! traps; use as? and handle nil")
      + file.findings(
        where: unwrapsByForce, "an unwrap by force; use guard let, ?? or #require in tests")
  }

  /// `@unchecked Sendable` and `nonisolated(unsafe)` without an adjacent comment.
  static func unexplained(_ file: SourceFile) -> [Finding] {
    guard file.isSwift else { return [] }
    return ["@unchecked Sendable", "nonisolated(unsafe)"].flatMap { mark in
      file.code.indices.filter { file.code[$0].contains(mark) && !file.hasComment($0) }.map {
        file.finding($0, "\(mark) without a reason; say in a // comment what makes it safe")
      }
    }
  }

  static func sleeps(_ file: SourceFile) -> [Finding] {
    guard file.isSwift, SourceFile.isTest(file.path) else { return [] }
    let calls = ["Thread.sleep", "Task.sleep", "usleep(", "nanosleep("]
    return file.findings(
      where: { line in
        calls.contains { line.contains($0) } || line.drop { $0 == " " }.hasPrefix("sleep(")
      }, "a test that sleeps; move a manual clock, or wait for the event with a bound")
  }

  /// `x!`, `f()!`, `a[0]!`, `T!`; not `!x`, `x != y`, `try!`, `as!`.
  private static func unwrapsByForce(_ line: String) -> Bool {
    guard line.contains("!") else { return false }
    let characters = Array(line)
    return characters.indices.dropFirst().contains { index in
      guard characters[index] == "!" else { return false }
      let before = characters[index - 1]
      guard before.isLetter || before.isNumber || "_)]>?`\"".contains(before) else { return false }
      let head = String(characters[..<index])
      if head.hasSuffix("try") || head.hasSuffix(" as") { return false }
      return index + 1 == characters.count || characters[index + 1] != "="
    }
  }
}
