// The table: operations a second and the hashes.

import OrderMatching

/// Runs the engine on one flow and prints what it did.
enum MatchingReport {
  /// Prints the table; true when the hashes are the expected ones.
  static func measure(
    prefill: [OrderCommand], chunks: [[OrderCommand]], runs: Int, expected: [String: String]
  ) -> Bool {
    let count = chunks.reduce(0) { $0 + $1.count }
    print("\(count) commands on a book of \(prefill.count) orders; \(runs) runs")
    var replay = Replay()
    replay.check(prefill)
    for chunk in chunks { replay.check(chunk) }
    let times = (0..<runs).map { _ in seconds(prefill, chunks) }.sorted()
    let (time, best) = (times[times.count / 2], times[0])
    let cells = [
      Double(count) / time / 1_000_000, Double(count) / best / 1_000_000,
      time / Double(count) * 1_000_000_000,
    ].map { "\(($0 * 10).rounded() / 10)" }
    print("  M operations/s: median \(cells[0]), best \(cells[1]); \(cells[2]) ns each")
    return isExpected(replay.result(), expected)
  }

  private static func seconds(_ prefill: [OrderCommand], _ chunks: [[OrderCommand]]) -> Double {
    var engine = FastMatchingEngine()
    var fills: [Fill] = []
    for command in prefill { _ = engine.submit(command, fills: &fills) }
    return chunks.reduce(0) { $0 + time(&engine, $1, &fills).seconds }
  }

  private static func isExpected(_ outcome: Outcome, _ expected: [String: String]) -> Bool {
    print("  \(outcome.fills) fills of \(outcome.filledLots) lots, \(outcome.refused) refused")
    var agrees = true
    for (name, hash) in [
      ("fill_hash", outcome.fillHash), ("book_hash", outcome.bookHash),
      ("queue_hash", outcome.queueHash),
    ] {
      let found = hex(hash)
      let verdict = expected[name].map { $0 == found ? "as expected" : "expected \($0)" }
      print("  \(name) \(found) \(verdict ?? "")")
      if let value = expected[name], value != found { agrees = false }
    }
    return agrees
  }

  private static func hex(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
