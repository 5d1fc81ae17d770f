/// The rule about docs/reliability.md: its table of faults and venues names existing tests.
enum FaultTableRule {
  static let path = "docs/reliability.md"
  static let heading = "## Each fault at each venue"
  static let venues: Set = [
    "BitMEX", "Kraken", "Coinbase", "OKX", "Bybit", "Binance", "ISIN", "BUX", "echo", "exchange",
  ]

  /// Rows that name a missing test, or neither test nor reason, and faults that leave a venue out
  /// or name it twice.
  ///
  /// A row is `| fault | venues | tests in backticks, or – and why it does not apply |`; without a
  /// fault it continues the one above.
  static func gaps(_ file: SourceFile, tests: Set<String>) -> [Finding] {
    guard file.path == path, let start = file.lines.firstIndex(of: heading) else { return [] }
    let end =
      file.lines[(start + 1)...].firstIndex { $0.hasPrefix("## ") } ?? file.lines.endIndex
    var (findings, fault, named): ([Finding], (name: String, index: Int)?, [String]) = ([], nil, [])
    func finish() {
      guard let fault else { return }
      if Set(named) != venues || named.count != venues.count {
        findings.append(
          file.finding(fault.index, "\(fault.name) needs each venue once, found \(named)"))
      }
    }
    for index in start..<end {
      let cells = cells(file.lines[index])
      guard cells.count == 3, cells[0] != "fault", !cells[0].hasPrefix("---") else { continue }
      if !cells[0].isEmpty {
        finish()
        (fault, named) = ((cells[0], index), [])
      }
      named +=
        cells[1] == "all" ? venues.sorted() : cells[1].split(separator: ",").map { trim($0) }
      let names = quoted(cells[2])
      if names.isEmpty, !cells[2].hasPrefix("–") {
        findings.append(file.finding(index, "a row needs a test in backticks, or – and a reason"))
      }
      for name in names where !tests.contains(name) {
        findings.append(file.finding(index, "there is no test called \(name)"))
      }
    }
    finish()
    return findings
  }

  static func names(in file: SourceFile) -> [String] {
    guard SourceFile.isTest(file.path) else { return [] }
    return file.lines.flatMap { line in
      line.contains("func `") ? Array(quoted(line).prefix(1)) : []
    }
  }

  private static func cells(_ line: String) -> [String] {
    guard line.hasPrefix("| ") else { return [] }
    return line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { trim($0) }
  }

  private static func quoted(_ text: String) -> [String] {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 && $0 < parts.count - 1 }.map { String(parts[$0]) }
  }

  private static func trim(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
