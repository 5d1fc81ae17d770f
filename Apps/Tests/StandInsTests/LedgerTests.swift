// StandIns/LEDGER.tsv records for every public declaration of the stand-ins which of Apple's it was
// compared with and how it differs. A missing or outdated row means an unchecked declaration.

import Foundation
import Testing

@Suite struct LedgerTests {
  /// A row of the ledger; each overload has its own.
  struct Row {
    let declaration: String
    let since: Double
    /// Whether macOS has it, too.
    let isOnMac: Bool
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
      try #require(fields.count == 7, "\(line)")
      try #require(["yes", "no"].contains(fields[2]), "\(line)")
      return Row(
        declaration: fields[0], since: try #require(Double(fields[1])),
        isOnMac: fields[2] == "yes", compared: fields[3], difference: fields[4],
        signature: fields[5], page: fields[6])
    }
  }

  @Test(arguments: ["SwiftUI", "UIKit"])
  func `every declaration is in the ledger as it was compared`(module: String) throws {
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

  /// The names that macOS lacks; members of a missing type are left out, since their type is
  /// listed.
  private func missingOnMac() throws -> Set<String> {
    let missing = Set(
      try rows().filter { !$0.isOnMac && $0.declaration.hasPrefix("SwiftUI.") }.map(\.declaration))
    return Set(
      missing.compactMap { declaration in
        var parts = declaration.split(separator: ".", maxSplits: 3).map(String.init)
        guard let last = parts.popLast(), !missing.contains(parts.joined(separator: "."))
        else { return nil }
        return String(last.prefix { $0 != "(" })
      })
  }

  /// The lines that both macOS and iOS compile, with their numbers.
  private func sharedLines(_ text: String) -> [(number: Int, line: String)] {
    var (isOfPlatform, isForOthers) = (false, false)
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .compactMap { index, line in
        let line = line.trimmingCharacters(in: .whitespaces)
        if line == "#if os(macOS)" { isOfPlatform = true }
        if line == "#endif" { (isOfPlatform, isForOthers) = (false, false) }
        if line == "#else", isOfPlatform { isForOthers = true }
        return isForOthers || line.hasPrefix("//") ? nil : (index + 1, line)
      }
  }

  @Test func `the SwiftUI app uses nothing that macOS lacks outside of marked code`() throws {
    let missing = try missingOnMac()
    #expect(missing.isSuperset(of: ["insetGrouped", "navigationBarTitleDisplayMode"]))
    #expect(!missing.contains("automatic"), "of a missing type only")
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Apps/PhoneApp").standardized
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
    #expect(names.count > 40)
    for name in names {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      for (number, line) in sharedLines(text) {
        let words = Set(line.split { !$0.isLetter && !$0.isNumber }.map(String.init))
        let found = words.intersection(missing).sorted()
        #expect(found.isEmpty, "\(name):\(number): wrap it in View+platform.swift")
      }
    }
    let sample = "#if os(macOS)\na\n#else\nb\n#endif\n// c\nd"
    #expect(sharedLines(sample).map(\.line) == ["#if os(macOS)", "a", "#endif", "d"])
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
