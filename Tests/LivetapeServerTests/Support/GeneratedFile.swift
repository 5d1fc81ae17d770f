import Foundation
import Testing

struct GeneratedFile {
  let path: String
  /// The environment variable that requests regeneration.
  let variable: String

  var url: URL {
    URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: path)
  }

  /// Expects this text; `suite` is the name of the tests that write it.
  func expect(_ text: String, suite: String) throws {
    if ProcessInfo.processInfo.environment[variable] == "1" {
      try Data(text.utf8).write(to: url)
    }
    let committed = try String(contentsOf: url, encoding: .utf8)
    #expect(committed == text, "\(path) is stale: \(variable)=1 swift test --filter \(suite)")
  }
}
