// StandIns/LEDGER.tsv says of every public declaration of the stand-ins with what of Apple's it was
// compared and how it differs. A declaration without a row, or one that has changed since, is one
// that nobody has compared.

import Foundation
import Testing

@Suite struct LedgerTests {
  /// A row of the ledger: one declaration; an overload has a row of its own.
  struct Row {
    let declaration: String
    let since: Double
    let compared: String
    let difference: String
    let signature: String
    let page: String
  }

  private func rows() throws -> [Row] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../StandIns/LEDGER.tsv").standardized
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return try lines.dropFirst().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try #require(fields.count == 6, "\(line)")
      return Row(
        declaration: fields[0], since: try #require(Double(fields[1])), compared: fields[2],
        difference: fields[3], signature: fields[4], page: fields[5])
    }
  }

  @Test(arguments: ["SwiftUI", "UIKit"])
  func `every declaration stands in the ledger as it was compared`(module: String) throws {
    let found = Set(try StandInCompiler().publicDeclarations(of: "Linux" + module))
    let written = try rows().filter { $0.declaration.hasPrefix(module + ".") }.map { row in
      StandInDeclaration(
        name: String(row.declaration.dropFirst(module.count + 1)), signature: row.signature)
    }
    #expect(found.count > 100)
    #expect(Set(written).count == written.count, "a row stands twice")
    let new = found.subtracting(written).map { "\($0.name)\t\($0.signature)" }.sorted()
    #expect(new.isEmpty, "in the code, not in the ledger: compare it with Apple's, then note it")
    let gone = Set(written).subtracting(found).map { "\($0.name)\t\($0.signature)" }.sorted()
    #expect(gone.isEmpty, "in the ledger, not in the code")
  }

  @Test func `nothing is later than the deployment target, and every row leads to Apple`() throws {
    for row in try rows() {
      #expect(row.since <= 17, "\(row.declaration)")
      #expect(["interface", "header", "page"].contains(row.compared), "\(row.declaration)")
      #expect(
        row.page.hasPrefix("https://developer.apple.com/documentation/"), "\(row.declaration)")
    }
  }
}
