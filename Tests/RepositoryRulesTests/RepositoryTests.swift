// The house rules applied to this repository.

import Testing

@Suite struct RepositoryTests {
  private let repository = Repository()

  @Test func `every file keeps the house rules`() {
    let files = repository.sourceFiles()
    #expect(files.contains { $0.path == "Package.swift" }, "the repository was not found")
    for finding in files.flatMap(HouseRules.findings) { Issue.record("\(finding)") }
  }

  @Test func `no leftover is tracked`() {
    for finding in TreeRules.names(repository.tracked ?? repository.paths) {
      Issue.record("\(finding)")
    }
  }

  @Test func `every requirement leads to its code and its test`() {
    let existing = Set(repository.paths)
    let findings = repository.sourceFiles().flatMap {
      RequirementsRule.links($0, existing: existing)
    }
    for finding in findings { Issue.record("\(finding)") }
  }
}
