// The house rules applied to this repository.

import Testing

@Suite struct RepositoryTests {
  private let repository = Repository.here

  @Test func `every file keeps the house rules`() {
    let files = Repository.sourceFiles
    #expect(files.contains { $0.path == "Package.swift" }, "the repository was not found")
    for finding in files.flatMap(HouseRules.findings) { Issue.record("\(finding)") }
  }

  @Test func `no module of the page imports itself by way of others`() {
    for finding in PageRules.circles(Repository.sourceFiles) { Issue.record("\(finding)") }
  }

  @Test func `no two targets declare a type of one name`() {
    for finding in NameRules.twice(Repository.sourceFiles) { Issue.record("\(finding)") }
  }

  @Test func `a type of one name in two targets is found, a private one is not`() {
    func file(_ path: String, _ line: String) -> SourceFile {
      SourceFile(path: path, text: "// Why.\n" + line)
    }
    let one = file("Sources/Core/One/A.swift", "public final class Level: Sendable {")
    for (path, line, count) in [
      ("Sources/Core/Two/B.swift", "struct Level {", 1),
      ("Sources/Core/Two/B.swift", "enum Level<A> {", 1),
      ("Sources/Core/One/B.swift", "struct Level {", 0), ("Tests/Two/B.swift", "struct Level {", 0),
      ("Sources/Core/Two/B.swift", "private struct Level {", 0),
      ("Sources/Core/Two/B.swift", "struct Levels {", 0),
      ("Sources/Core/Two/B.swift", "  struct Level {", 0),
      ("Sources/Core/Two/B.swift", "let a = b(class Level)", 0),
    ] {
      #expect(NameRules.twice([one, file(path, line)]).count == count, "\(path): \(line)")
    }
  }

  @Test func `a target depends on what it imports and on nothing else`() {
    for finding in ImportRules.unused(Repository.sourceFiles) { Issue.record("\(finding)") }
  }

  @Test func `a dependency that is not imported is found`() {
    func file(_ text: String) -> SourceFile {
      SourceFile(path: "Sources/Core/OrderBook/A.swift", text: text)
    }
    #expect(ImportRules.unused([file("import Foundation")]).count == 1)
    #expect(ImportRules.unused([file("import Foundation"), file("import MarketModel")]).isEmpty)
  }

  @Test func `every target of the product is in the table of the architecture`() {
    let files = Repository.sourceFiles
    let table = files.filter { $0.path == "docs/ARCHITECTURE.md" }.flatMap(\.lines)
      .filter { $0.hasPrefix("| ") }
    let targets = Set(
      files.filter { $0.isSwift && $0.path.hasPrefix("Sources/") }.map {
        $0.path.split(separator: "/").prefix(3).joined(separator: "/")
      })
    for target in targets.sorted() {
      #expect(table.contains { $0.contains("`\(target)`") }, "\(target)")
    }
  }

  @Test func `no leftover is tracked`() {
    for finding in TreeRules.names(repository.tracked ?? repository.paths) {
      Issue.record("\(finding)")
    }
  }

  @Test func `every requirement leads to its code and its test`() {
    let existing = Set(repository.paths)
    let findings = Repository.sourceFiles.flatMap {
      RequirementsRule.links($0, existing: existing)
    }
    for finding in findings { Issue.record("\(finding)") }
  }

  @Test func `every fault has a test at every venue, or a reason`() {
    let files = Repository.sourceFiles
    let tests = Set(files.flatMap(FaultTableRule.names))
    #expect(files.contains { $0.lines.contains(FaultTableRule.heading) }, "the table is there")
    for finding in files.flatMap({ FaultTableRule.gaps($0, tests: tests) }) {
      Issue.record("\(finding)")
    }
  }
}
