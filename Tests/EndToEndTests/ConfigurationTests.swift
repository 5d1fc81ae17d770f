// The configuration file of `livetape serve`: the same words as its flags, which take precedence.

import Foundation
import NIOPosix
import TestSupport
import Testing

@testable import LivetapeServer

@Suite(.serialized, .timeLimit(.minutes(10))) struct ConfigurationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ text: String) throws -> String {
    let path = folder.path + "/livetape.toml"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `a good file is fine`() async throws {
    let token = folder.path + "/token"
    try Data("0123456789abcdef\n".utf8).write(to: URL(fileURLWithPath: token))
    let path = try file(
      """
      port = 8081
      host = "0.0.0.0"
      host-name = ["a.example", "b.example"]
      token-file = "\(token)"
      behind-proxy = "c.example"
      data = "\(folder.path)"
      venues = "simulated"
      seed = 3
      url = ["kraken=wss://ws.example/v2"]
      faults = ["bitmex:drop=2%"]
      log-level = "info"
      log-format = "json"
      """)
    let run = try await CommandRun.livetape("config", "check", path)
    #expect(run.status == 0 && run.output == "\(path) is fine\n", "\(run)")
  }

  @Test(arguments: [
    ("port = 1\nprot = 2", ":2: there is no key “prot”, only port, "),
    ("port = \"8080\"", ":1: port needs a whole number"),
    ("\nport = 70000", ":2: The value '70000' is invalid for '--port <port>'"),
    ("venues = \"no\"", ":1: The value 'no' is invalid for '--venues <venues>'"),
    ("host-name = \"a\"", ":1: host-name needs a [list]"),
    ("host-name = [\"a:80\"]", ":1: --host-name needs a name"),
    ("faults = [\"kraken:dorp\"]", ":1: --faults: expected one of"),
    ("url = [\"nobody=ws://x\"]", ":1: "),
    ("url = [\n\"kraken=ws://a/\",\n\"kraken=ws://b/\"]", ":1: kraken has two URLs"),
    ("host = \"0.0.0.0\"", ": 0.0.0.0 can be reached by others"),
    ("tls-key = \"/k.pem\"", ": --tls-certificate and --tls-key go together"),
    ("token-file = \"/no/such/file\"", ": /no/such/file can't be read"),
    ("venues = \"live\"\nfaults = [\"kraken:cut\"]", ": --faults: kraken is not simulated"),
    ("port = 8080 8081", ":1: expected the end of the line"),
  ])
  func `an error is one line, with file and line`(text: String, words: String) async throws {
    let path = try file(text)
    let run = try await CommandRun.livetape("config", "check", path)
    #expect(run.status == 1 && run.errors.contains("livetape: \(path)\(words)"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    let serve = try await CommandRun.livetape("serve", "--config", path)
    #expect(serve.status != 0)
  }

  @Test func `a missing file is reported`() async throws {
    for arguments in [
      ["config", "check", "/no/such/file"], ["serve", "--config", "/no/such/file"],
    ] {
      let run = try await CommandRun.run(arguments)
      #expect(run.status == 1 && run.errors == "livetape: /no/such/file can't be read\n")
    }
  }

  @Test func `a flag wins over the file, and a list replaces the file's`() async throws {
    let path = try file(
      "port = 1\nhost-name = [\"a.example\"]\ndata = \"\(folder.path)\"\nlog-format = \"json\"")
    // The harness passes --port 0 and --seed 7.
    let server = try await ServerProcess.start(["--config", path, "--host-name=b.example"])
    #expect(server.port > 1)
    try await withThreads(1) { group in
      for (name, status) in [("a.example", "403"), ("b.example", "200"), ("127.0.0.1", "200")] {
        let client = try await RawClient.connect(port: server.port, on: group.next())
        client.get("/healthz", [("Host", name)])
        try await client.wait(for: "HTTP/1.1 \(status) ")
        await client.close()
      }
    }
    await server.kill()
  }

  @Test func `the file can set all that the flags can`() async throws {
    let run = try await CommandRun.livetape("serve", "--experimental-dump-help")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? NSDictionary)
    let command = try #require(object["command"] as? NSDictionary)
    let arguments = try #require(command["arguments"] as? [NSDictionary])
    let flags = arguments.filter { $0["shouldDisplay"] as? Bool == true }
      .compactMap { ($0["preferredName"] as? NSDictionary)?["name"] as? String }
    let wrong = try await CommandRun.livetape("config", "check", try file("x = 1"))
    let keys = try #require(wrong.errors.split(separator: "only ").last)
      .trimmingCharacters(in: .newlines).components(separatedBy: ", ")
    #expect(Set(keys) == Set(flags).subtracting(["config", "help", "version"]))
  }

  @Test func `log messages can be JSON lines`() async throws {
    let folder = try TemporaryFolder()
    let path = try file("data = \"\(folder.path)\"\nlog-format = \"json\"\nlog-level = \"notice\"")
    let process = try Process.product("livetape", ["serve", "--config", path, "--port", "0"])
    let (output, errors) = (Pipe(), try TemporaryFile())
    process.standardOutput = output
    process.standardError = errors.handle
    let end = try process.runWithinPatience()
    _ = output.fileHandleForReading.availableData
    end.cancel()
    process.terminate()
    process.waitUntilExit()
    let lines = try errors.text().split(separator: "\n")
    #expect(lines.contains { $0.contains("orders are kept in") })
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary
      #expect(object?["level"] is String && object?["message"] is String, "\(line)")
      #expect((object?["time"] as? String)?.hasSuffix("Z") == true, "\(line)")
    }
  }
}
