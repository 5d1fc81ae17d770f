// StandIns/LEDGER.tsv says of every public declaration of the stand-ins which page of Apple's
// documentation defines it and since when it exists. A declaration without a row is one that nobody
// has compared; a row without a declaration says something that is no longer so.

import Foundation
import Testing

@Suite struct LedgerTests {
  /// A row of the ledger.
  struct Row {
    let declaration: String
    let overloads: Int
    let since: Double
    let compared: String
    let page: String
  }

  private func rows() throws -> [Row] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../StandIns/LEDGER.tsv").standardized
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return try lines.dropFirst().map { line in
      let fields = line.split(separator: "\t").map(String.init)
      try #require(fields.count == 5, "\(line)")
      return Row(
        declaration: fields[0], overloads: try #require(Int(fields[1])),
        since: try #require(Double(fields[2])), compared: fields[3], page: fields[4])
    }
  }

  @Test(arguments: ["SwiftUI", "UIKit"])
  func `the ledger and the code name the same declarations`(module: String) throws {
    let found = try StandInCompiler().publicDeclarations(of: "Linux" + module)
    let written = try rows().filter { $0.declaration.hasPrefix(module + ".") }
    let listed = Dictionary(
      written.map { (String($0.declaration.dropFirst(module.count + 1)), $0.overloads) }
    ) { _, second in
      Issue.record("a row stands twice")
      return second
    }
    #expect(found.count > 100)
    let missing = found.filter { listed[$0.key] != $0.value }.keys.sorted()
    #expect(missing.isEmpty, "in the code, not or otherwise in the ledger")
    let gone = listed.filter { found[$0.key] == nil }.keys.sorted()
    #expect(gone.isEmpty, "in the ledger, not in the code")
  }

  @Test func `nothing is later than the deployment target, and every row leads to Apple`() throws {
    for row in try rows() {
      #expect(row.since <= 17, "\(row.declaration)")
      #expect(["read", "known"].contains(row.compared), "\(row.declaration)")
      #expect(
        row.page.hasPrefix("https://developer.apple.com/documentation/"), "\(row.declaration)")
    }
  }
}
