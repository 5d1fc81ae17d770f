// The text of a configuration file: what is accepted, and which line an error names.

import LivetapeServer
import MarketModel
import Testing

@Suite struct ConfigurationTextTests {
  /// The line and the message of a rejected text.
  private func problem(_ text: String) -> (line: Int, message: String)? {
    do throws(ConfigurationTextError) {
      _ = try ConfigurationText.entries(of: text)
      return nil
    } catch {
      return (error.line, error.message)
    }
  }

  @Test func `keys are read with their values and lines`() throws {
    let text = """
      # A comment.
      port = 8_080   # with a comment
      host="::1"

      seed	=	-7
      faults = [
        'kraken:drop=2%',  # one
        "a \\"b\\" \\\\ \\u00e4 \\t",
      ]
      url = []
      on = true
      """
    #expect(
      try ConfigurationText.entries(of: text).map { "\($0.line) \($0.key) \($0.value)" } == [
        "2 port number(8080)", "3 host text(\"::1\")", "5 seed number(-7)",
        #"6 faults list(["kraken:drop=2%", "a \"b\" \\ ä \t"])"#, "10 url list([])",
        "11 on truth(true)",
      ])
    #expect(try ConfigurationText.entries(of: "a = 1\r\nb = 2\r\n").map(\.line) == [1, 2])
    #expect(try ConfigurationText.entries(of: "").isEmpty)
  }

  @Test(arguments: [
    ("port 8080", 1, "expected “=”"), ("\n\nport =", 3, "expected a \"text\""),
    ("a = 1\n[serve]", 2, "no tables"), ("= 1", 1, "key = value"),
    ("a = 1 2", 1, "end of the line"),
    ("a = \"x\nb = 1", 1, "ends on its line"), ("a = 'x", 1, "closing quote"),
    ("a = \"\\q\"", 1, "expected one of"), ("a = \"\\u12\"", 1, "hexadecimal"),
    ("a = \"\\ud800\"", 1, "hexadecimal"), ("a = [1]", 1, "or “]”"),
    ("a = [\"x\"\n\"y\"]", 2, "expected “,” or “]”"), ("a = [\"x\",", 1, "or “]”"),
    ("a = 1\nb = 2\na = 3", 3, "stands on line 1"), ("a = 9223372036854775808", 1, "whole number"),
    ("a = 1.5", 1, "end of the line"), ("a = __1", 1, "whole number"),
    ("a.b = 1", 1, "expected “=”"),
    ("a = 1\rb = 2", 1, "carriage return"), ("ä = 1", 1, "key = value"),
  ])
  func `what can't be read is named with its line`(text: String, line: Int, words: String) throws {
    let found = try #require(problem(text))
    #expect(found.line == line && found.message.contains(words), "\(found)")
  }

  @Test func `text, keys and lists are bounded`() {
    let many = (0...ConfigurationText.maximumEntries).map { "k\($0) = 1\n" }.joined()
    #expect(problem(many)?.message == "too many keys")
    let list = String(repeating: "'x',", count: ConfigurationText.maximumEntries + 1)
    #expect(problem("a = [\(list)]")?.message == "too long a list")
    let long = "# " + String(repeating: "x", count: ConfigurationText.maximumBytes)
    #expect(problem(long)?.message.contains("bytes") == true)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `no text traps, whatever it holds`(seed: UInt64) {
    var chance = SplitMix64(seed: seed)
    let pieces = [
      "a", "=", " ", "\n", "\r", "\"", "'", "[", "]", ",", "\\", "u", "1", "#", "ä", "_",
    ]
    for _ in 0..<500 {
      let text = (0..<Int(chance.next() % 24)).map { _ in
        pieces[Int(chance.next() % UInt64(pieces.count))]
      }.joined()
      if let problem = problem(text) {
        let lines = text.unicodeScalars.count { $0 == "\n" } + 1
        #expect((1...lines).contains(problem.line), "seed \(seed): \(text)")
      }
    }
  }
}
