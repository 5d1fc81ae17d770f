import Foundation
import Testing

@Suite struct RejectedTests {
  /// Code that Apple's compiler rejects must fail here, too.
  ///
  /// Each file of Rejected/ has one wrong line, with a part of the compiler's error.
  struct Expectation: Hashable {
    let file: String
    let line: Int
    let words: String
  }

  @Test func `every wrong use is rejected where it is wrong, and nothing else is`() throws {
    let compiler = try StandInCompiler()
    let files = try compiler.sources("Rejected")
    #expect(files.count >= 15)
    let errors = try compiler.errors(in: files)
    for file in files {
      let expected = try expectation(of: file)
      let found = errors.filter { $0.file == expected.file }
      #expect(
        found.contains { $0.line == expected.line && $0.message.contains(expected.words) },
        "\(expected.file):\(expected.line) expects “\(expected.words)”, found \(found)")
      let strays = found.filter { $0.line != expected.line }
      #expect(strays.isEmpty, "\(expected.file) is wrong elsewhere: \(strays)")
    }
  }

  @Test func `right use is accepted by the same command`() throws {
    let compiler = try StandInCompiler()
    let errors = try compiler.errors(in: try compiler.sources("Accepted"))
    #expect(errors.isEmpty)
  }

  /// The one line with `// error: words`.
  private func expectation(of file: URL) throws -> Expectation {
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let marked = lines.enumerated().compactMap { index, line -> Expectation? in
      guard let mark = line.range(of: "// error: ") else { return nil }
      return Expectation(
        file: file.lastPathComponent, line: index + 1, words: String(line[mark.upperBound...]))
    }
    try #require(marked.count == 1, "\(file.lastPathComponent) marks no line, or several")
    return marked[0]
  }
}
