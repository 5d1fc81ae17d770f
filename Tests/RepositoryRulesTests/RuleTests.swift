// The rules themselves: for each, samples that break it, with the reported line, and samples that
// keep it.

import Testing

@Suite struct RuleTests {
  private func lines(_ rule: (SourceFile) -> [Finding], _ text: String, in path: String) -> [Int] {
    rule(SourceFile(path: path, text: text)).map(\.line).sorted()
  }

  private let model = "Sources/Core/MarketModel/Sample.swift"

  @Test func `a finding names file, line and what to write instead`() {
    let file = SourceFile(path: model, text: "// why\nlet now = Date()\n")
    #expect(
      HouseRules.findings(in: file).map(\.description) == [
        "Sources/Core/MarketModel/Sample.swift:2: Date( reads the clock; take a ClockReading"
      ])
  }

  @Test(arguments: [
    ("import Foundation", "Sources/Core/MarketModel/A.swift"),
    ("public import Foundation", "Sources/Core/OrderBook/A.swift"),
    ("@testable import AppState", "Sources/Venues/VenueProtocols/A.swift"),
    ("import struct Foundation.Date", "Sources/Venues/VenueSimulator/A.swift"),
    ("import Foundation", "Sources/Screens/AppState/Screen.swift"),
    ("import NIOCore", "Sources/Screens/AppState/Formatting/A.swift"),
    ("import Foundation", "Sources/Market/FeedConnections/A.swift"),
    ("import MarketModel", "Sources/Market/SocketTransport/A.swift"),
    ("import Glibc", "Sources/Core/MarketModel/A.swift"),
    ("import AppState", "Web/A.swift"),
    ("import SwiftUI", "Apps/StocksApp/A.swift"),
    ("import UIKit", "Apps/PhoneApp/A.swift"),
    ("import MarketModel", "Sources/Core/NewTarget/A.swift"),
  ])
  func `imports that the manifest does not declare are found`(line: String, path: String) {
    #expect(lines(ImportRules.imports, line, in: path) == [1])
  }

  @Test(arguments: [
    ("public import MarketModel", "Sources/Core/OrderBook/A.swift"),
    ("// import Foundation", "Sources/Core/MarketModel/A.swift"),
    ("let text = \"\"\"\nimport Foundation\n\"\"\"", "Sources/Core/MarketModel/A.swift"),
    ("import Foundation", "Sources/Screens/AppState/Formatting/A.swift"),
    ("import NIOCore\nimport Combine", "Sources/Market/FeedConnections/A.swift"),
    ("import Hummingbird", "Sources/Server/LivetapeServer/A.swift"),
    ("import Foundation", "Tests/AppStateTests/A.swift"),
    ("importantThing()", "Sources/Core/MarketModel/A.swift"),
  ])
  func `declared imports, and imports in comments, strings and tests, are fine`(
    line: String, path: String
  ) {
    #expect(lines(ImportRules.imports, line, in: path).isEmpty)
  }

  @Test(arguments: [
    (#"import { Dock } from "../frame/dock.js";"#, "orders/row.js"),
    (#"import "../app.js";"#, "frame/shell.js"),
    (#"const later = import("../frame/lazy.js");"#, "ui/lazy.js"),
    (#"/** @typedef {import("../trading.js").Trading} Trading */"#, "orders/row.js"),
    (#"import { Chart } from "../chart.js";"#, "chart/model/scene.js"),
    (#"import { x } from "../../other.js";"#, "ui/dom.js"),
  ])
  func `imports from a later room of the page are found`(line: String, path: String) {
    #expect(lines(PageRules.imports, line, in: "Web/page/assets/" + path) == [1])
  }

  @Test(arguments: [
    (#"import { h } from "../../ui/dom.js";"#, "chart/model/scene.js"),
    (#"import { said } from "./words.js";"#, "orders/row.js"),
    (#"import { Dock } from "./frame/dock.js";"#, "app.js"),
    (#"const text = "../frame/dock.js";"#, "orders/row.js"),
  ])
  func `imports from the same room and from earlier ones are fine`(line: String, path: String) {
    #expect(lines(PageRules.imports, line, in: "Web/page/assets/" + path).isEmpty)
  }

  @Test func `a room that is not in the list is found`() {
    #expect(!lines(PageRules.imports, "", in: "Web/page/assets/components/a.js").isEmpty)
  }

  @Test func `modules that import each other are found`() {
    func module(_ name: String, _ imported: String) -> SourceFile {
      SourceFile(path: "Web/page/assets/ui/\(name).js", text: "import \"./\(imported).js\";")
    }
    let (a, b, c) = (module("a", "b"), module("b", "c"), module("c", "a"))
    #expect(PageRules.circles([a, b, c]).count == 1)
    #expect(PageRules.circles([a, b, module("c", "d")]).isEmpty)
  }

  @Test func `lines over 100 columns are found, those of 100 are fine`() {
    let long = String(repeating: "x", count: 101)
    #expect(lines(SizeRules.lineLength, "a\n\(long)\n", in: model) == [2])
    #expect(lines(SizeRules.lineLength, "\(long.dropLast())\n", in: model).isEmpty)
    #expect(lines(SizeRules.lineLength, long, in: "docs/a.md").isEmpty)
    for path in ["Web/page/assets/a.js", "Web/page/assets/a.css", "Web/types/a.d.ts"] {
      #expect(lines(SizeRules.lineLength, long, in: path) == [1])
    }
    #expect(lines(SizeRules.lineLength, long, in: "Tests/BrowserTests/a.js").isEmpty)
  }

  @Test func `files over 500 lines are found in sources`() {
    let full = String(repeating: "x\n", count: 500)
    #expect(lines(SizeRules.fileLength, full, in: model).isEmpty)
    #expect(lines(SizeRules.fileLength, full + "x", in: model) == [501])
    #expect(lines(SizeRules.fileLength, full + "x", in: "Tests/A.swift").isEmpty)
  }

  @Test(arguments: [
    "  func f(\n    a: Int\n  ) {\n", "  public init?(a: Int) {\n",
    "  mutating func f() -> Int {\n",
    "  func f<T>(_ a: T) -> Int\n  where T: Equatable {\n",
  ])
  func `functions over 70 lines are found, however they begin`(head: String) {
    let signature = head.split(separator: "\n").count
    func sample(_ count: Int) -> String {
      "struct A {\n" + head + String(repeating: "    x()\n\n", count: 1)
        + String(repeating: "    x()\n", count: count - signature - 3) + "  }\n}\n"
    }
    #expect(lines(SizeRules.functionLength, sample(70), in: model).isEmpty)
    #expect(lines(SizeRules.functionLength, sample(71), in: model) == [2])
  }

  @Test func `a requirement without a body is not measured`() {
    let sample =
      "protocol A {\n  func f()\n  func g(\n    a: Int\n  ) -> Int\n"
      + String(repeating: "  var x: Int { get }\n", count: 80) + "}\n"
    #expect(lines(SizeRules.functionLength, sample, in: model).isEmpty)
  }

  @Test(arguments: [
    "let a = Date()", "let a = Date(timeIntervalSince1970: 0)", "Date.now",
    "try await Task.sleep(x)",
    "Task { f() }", "Task.detached { }", "Int.random(in: 0...1)", "a.shuffled()", "print(a)",
    "fatalError()", "\"\\(Date.now)\"", "DispatchQueue.main",
  ])
  func `clocks, chance, output, tasks and traps are found in the core`(line: String) {
    #expect(lines(PurityRules.calls, "// why\n\(line)", in: model) == [2])
    #expect(
      lines(PurityRules.calls, "// why\n\(line)", in: "Sources/Server/livetape/A.swift").isEmpty)
  }

  @Test(arguments: [
    "let a = CivilDate(year: 1)", "Int.random(in: 0...1, using: &generator)", "// Task { }",
    "let text = \"Date()\"", "blueprint(a)", "footprint(a)", "enum ProductTask { case a }",
    "Date() // rule-exception: a sample needs the clock",
    "// rule-exception: a sample needs the clock\nDate()",
  ])
  func `names that only resemble them, and excused lines, are fine`(line: String) {
    #expect(lines(PurityRules.calls, line, in: model).isEmpty)
  }

  @Test func `an exception without a reason excuses nothing`() {
    #expect(lines(PurityRules.calls, "Date() // rule-exception: why", in: model) == [1])
    #expect(lines(PurityRules.calls, "Date() // rule-exception:", in: model) == [1])
  }

  @Test func `binary floats are found where amounts are integers`() {
    #expect(lines(PurityRules.floats, "let a: Double = 1", in: model) == [1])
    #expect(
      lines(PurityRules.floats, "f(x as? Float)", in: "Sources/Screens/AppState/A.swift") == [1])
    let walk = "Sources/Venues/VenueSimulator/A.swift"
    #expect(lines(PurityRules.floats, "let a: Double = 1", in: walk).isEmpty)
    #expect(lines(PurityRules.floats, "func isDoubled() {}", in: model).isEmpty)
    #expect(lines(PurityRules.floats, "// never Double", in: model).isEmpty)
    let excused = "let a = Double(b) // rule-exception: a ratio, not an amount"
    #expect(lines(PurityRules.floats, excused, in: model).isEmpty)
  }

  @Test func `spans that the apps' oldest system lacks are found`() {
    #expect(lines(PurityRules.spans, "parse(bytes.span)", in: model) == [1])
    #expect(lines(PurityRules.spans, "var out = rows.mutableSpan", in: model) == [1])
    #expect(lines(PurityRules.spans, "parse(bytes[...].span)", in: model).isEmpty)
    #expect(lines(PurityRules.spans, "let span = slice.span", in: model).isEmpty)
    #expect(lines(PurityRules.spans, "parse(ContiguousArray(a).span)", in: model).isEmpty)
    #expect(lines(PurityRules.spans, "// bytes.span", in: model).isEmpty)
    #expect(
      lines(PurityRules.spans, "parse(a.span)", in: "Sources/Server/livetape/A.swift").isEmpty)
  }

  @Test(arguments: [
    "let a = try! f()", "let a = b as! C", "a!.b()", "f()!", "a[0]! + 1", "var view: View!",
    "a?.b!", "g(a!, b)", "\"\\(a!)\"", "let c = a! == b",
  ])
  func `code that traps is found, in tests too`(line: String) {
    #expect(lines(SafetyRules.traps, line, in: model) == [1])
    #expect(lines(SafetyRules.traps, line, in: "Tests/A.swift") == [1])
  }

  @Test(arguments: [
    "if !a { }", "a != b", "#if !os(Linux)", "(!a)", "\"wow!\"", "// no!", "/* a! /* b! */ c! */",
    "#\"raw \"a! try! \"#", "f(\"\"\"\n  a!\n  \"\"\")", "\"\\(x ? \"a!\" : \"b!\")\"", "a!=b",
  ])
  func `negation, inequality, comments and strings are fine`(line: String) {
    #expect(lines(SafetyRules.traps, line, in: model).isEmpty)
  }

  @Test(arguments: ["final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1"])
  func `unchecked concurrency needs a reason beside it`(line: String) {
    #expect(lines(SafetyRules.unexplained, "\n\(line)", in: model) == [2])
    #expect(lines(SafetyRules.unexplained, "\(line) // guarded by a lock", in: model).isEmpty)
    #expect(lines(SafetyRules.unexplained, "// Guarded by a lock.\n\(line)", in: model).isEmpty)
  }

  @Test(arguments: [
    "Thread.sleep(forTimeInterval: 1)", "try await Task.sleep(for: .seconds(1))", "usleep(5)",
    "  sleep(1)",
  ])
  func `tests that sleep are found`(line: String) {
    #expect(lines(SafetyRules.sleeps, line, in: "Tests/XTests/A.swift") == [1])
    #expect(lines(SafetyRules.sleeps, line, in: model).isEmpty)
    #expect(lines(SafetyRules.sleeps, "// \(line)", in: "Tests/XTests/A.swift").isEmpty)
  }

  @Test func `paths of one machine are found in every kind of file`() {
    for path in ["/wo" + "rk/main", "/op" + "t/swift/bin", "/ho" + "me/me/x", ".." + "/shared/a"] {
      #expect(lines(TreeRules.machinePaths, "x\nsee `\(path)`", in: "docs/a.md") == [2])
      #expect(lines(TreeRules.machinePaths, path, in: "Web/page/a.js") == [1])
    }
    let fine = "see frame" + "work/x, https://example.org/ho" + "me/, api/wo" + "rk/list"
    #expect(lines(TreeRules.machinePaths, fine, in: "docs/a.md").isEmpty)
  }

  @Test func `what builds and beginnings leave is found among tracked files`() {
    let bad = [
      "Package.resolved", ".build/debug.yaml", "a/.DS_Store",
      "Sources/Screens/AppState/Placeholder.swift",
    ]
    #expect(TreeRules.names(bad).map(\.path) == bad)
    #expect(TreeRules.names(["Package.swift", "Sources/A/PlaceholderView.swift"]).isEmpty)
  }

  @Test func `the two apps keep their frameworks apart`() {
    for stocks in ["Apps/StocksApp/A.swift", "Apps/LivetapeStocks/A.swift"] {
      #expect(lines(TreeRules.apps, "list.reloadData()", in: stocks) == [1])
      #expect(lines(TreeRules.apps, "import SwiftUI", in: stocks) == [1])
      #expect(lines(TreeRules.apps, "public import struct SwiftUI.Text", in: stocks) == [1])
      #expect(lines(TreeRules.apps, "UIHostingController(rootView: a)", in: stocks) == [1])
      #expect(lines(TreeRules.apps, "dataSource.apply(snapshot)", in: stocks).isEmpty)
      #expect(lines(TreeRules.apps, "// no SwiftUI, no reloadData()", in: stocks).isEmpty)
    }
    for phone in ["Apps/PhoneApp/A.swift", "Apps/Livetape/A.swift"] {
      #expect(lines(TreeRules.apps, "struct A: UIViewRepresentable {}", in: phone) == [1])
      #expect(lines(TreeRules.apps, "import SwiftUI", in: phone).isEmpty)
    }
    #expect(lines(TreeRules.apps, "import SwiftUI", in: "Apps/PhoneStores/A.swift") == [1])
    #expect(lines(TreeRules.apps, "import Combine", in: "Apps/PhoneStores/A.swift").isEmpty)
    #expect(lines(TreeRules.apps, "list.reloadData()", in: model).isEmpty)
  }

  @Test func `faults without a venue, a test or a reason are found`() {
    func found(_ rows: String) -> Int {
      let text = "\(FaultTableRule.heading)\n\n| fault | venues | test |\n|---|---|---|\n\(rows)\n"
      let file = SourceFile(path: FaultTableRule.path, text: text + "\n## Next\n| a | b | c |\n")
      return FaultTableRule.gaps(file, tests: ["a drop is found"]).count
    }
    #expect(found("| drop | all | `a drop is found` |") == 0)
    let most = FaultTableRule.venues.subtracting(["echo", "exchange"]).sorted()
    let first = "| drop | \(most.joined(separator: ", ")) | `a drop is found` |\n"
    #expect(found(first + "| | echo, exchange | – no messages |") == 0)
    #expect(found(first + "| | echo | – no messages |") == 1)
    #expect(found(first + "| | echo, exchange, echo | – no messages |") == 1)
    #expect(found(first + "| | echo, exchange | not needed |") == 1)
    #expect(found("| drop | all | `a drop is lost` |") == 1)
    #expect(found(first + "| gap | all | `a drop is found` |") == 1)
  }

  @Test func `requirements lead to existing code and tests`() {
    let existing: Set = ["Sources/A/a.swift", "Tests/A/aTests.swift"]
    func found(_ line: String) -> Int {
      let file = SourceFile(path: RequirementsRule.path, text: line)
      return RequirementsRule.links(file, existing: existing).count
    }
    #expect(found("| PT1 | `Sources/A/a.swift` | `Tests/A/aTests.swift` |") == 0)
    #expect(found("- PT1 `Sources/A/a.swift` `Tests/A/aTests.swift` `a/b`") == 0)
    #expect(found("| PT1 | `Sources/A/b.swift` | `Tests/A/aTests.swift` |") == 1)
    #expect(found("| PT1 | `Sources/A/a.swift` | |") == 1)
    #expect(found("| **PT1** | | `Tests/A/aTests.swift` |") == 1)
    #expect(found("| PT1 | | |") == 2)
    #expect(found("| LT4 | not built yet | |") == 0)
    #expect(found("| PTX | | |") == 0)
    #expect(found("Prose about PT1 is no row.") == 0)
  }
}

@Suite struct StrippedCodeTests {
  @Test(arguments: [
    ("a // b", "a     "), ("a /* b\nc */ d", "a     \n     d"), ("f(\"b\")", "f(\" \")"),
    ("\"\\(a + \"b\" + c)\" d", "\"  a + \" \" + c)\" d"), ("#\"a\\(b)\"# c", "#\"     \"# c"),
    ("#\"a\\#(b)\"# c", "#\"    b)\"# c"), ("\"\\\"\" a", "\"  \" a"), ("\"// a\" b", "\"    \" b"),
    ("\"\"\"\na \"b\"\n\"\"\" c", "\"\"\"\n     \n\"\"\" c"), ("\"a\nb", "\" \nb"),
    ("\"\\(f(a))\" b", "\"  f(a))\" b"),
  ])
  func `comments and literals become spaces, code in interpolations stays`(
    text: String, expected: String
  ) {
    #expect(StrippedCode.lines(of: text).joined(separator: "\n") == expected)
  }

  @Test func `no cut of a source traps`() {
    let source = Array("f(\"\\(a(\"\"\"\nb\\#(c)\n\"\"\"))\") /* /* */ #\"d\"# // e\n")
    for end in source.indices {
      let text = String(source[..<end])
      #expect(StrippedCode.lines(of: text).joined(separator: "\n").count == text.count)
    }
  }
}
