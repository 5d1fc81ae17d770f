import OrderMatching

/// Runs both engines on one flow and prints operations a second, their ratio, and the hashes.
enum MatchingReport {
  /// Prints the table; true when the engines agree with each other and with the expected hashes.
  static func compare(
    prefill: [OrderCommand], chunks: [[OrderCommand]], runs: Int, expected: [String: String]
  ) -> Bool {
    let count = chunks.reduce(0) { $0 + $1.count }
    print("\(count) commands on a book of \(prefill.count) orders; \(runs) runs each, in turn")
    let plain = outcome(PlainMatchingEngine.self, prefill, chunks)
    let fast = outcome(FastMatchingEngine.self, prefill, chunks)
    var times: (plain: [Double], fast: [Double]) = ([], [])
    for _ in 0..<runs {
      times.plain.append(plainSeconds(prefill, chunks))
      times.fast.append(fastSeconds(prefill, chunks))
    }
    print("          M operations/s: median   best   ns each   times plain (medians)")
    row("plain", times.plain, count, against: times.plain)
    row("fast", times.fast, count, against: times.plain)
    return agree(plain, fast, expected)
  }

  private static func outcome<Engine: MatchingEngine>(
    _ engine: Engine.Type, _ prefill: [OrderCommand], _ chunks: [[OrderCommand]]
  ) -> Outcome {
    var replay = Replay<Engine>()
    replay.check(prefill)
    for chunk in chunks { replay.check(chunk) }
    return replay.result()
  }

  private static func plainSeconds(_ prefill: [OrderCommand], _ chunks: [[OrderCommand]]) -> Double
  {
    var engine = PlainMatchingEngine()
    var fills: [Fill] = []
    for command in prefill { _ = engine.submit(command, fills: &fills) }
    return chunks.reduce(0) { $0 + timePlain(&engine, $1, &fills).seconds }
  }

  private static func fastSeconds(_ prefill: [OrderCommand], _ chunks: [[OrderCommand]]) -> Double {
    var engine = FastMatchingEngine()
    var fills: [Fill] = []
    for command in prefill { _ = engine.submit(command, fills: &fills) }
    return chunks.reduce(0) { $0 + timeFast(&engine, $1, &fills).seconds }
  }

  private static func row(
    _ name: String, _ seconds: [Double], _ count: Int, against other: [Double]
  ) {
    let time = median(seconds)
    let best = seconds.min() ?? time
    let cells = [
      rounded(Double(count) / time / 1_000_000), rounded(Double(count) / best / 1_000_000),
      rounded(time / Double(count) * 1_000_000_000), rounded(median(other) / time),
    ]
    print("  " + padded(name, 18) + cells.map { padded($0, 9) }.joined())
  }

  private static func agree(_ plain: Outcome, _ fast: Outcome, _ expected: [String: String]) -> Bool
  {
    print("  \(fast.fills) fills of \(fast.filledLots) lots, \(fast.refused) refused")
    let found = [
      "fill_hash": hex(fast.fillHash), "book_hash": hex(fast.bookHash),
      "queue_hash": hex(fast.queueHash),
    ]
    var agrees = plain == fast
    for name in ["fill_hash", "book_hash", "queue_hash"] {
      let verdict = expected[name].map { $0 == found[name] ? "as expected" : "expected \($0)" }
      print("  \(name) \(found[name] ?? "") \(verdict ?? "")")
      if let value = expected[name], value != found[name] { agrees = false }
    }
    print(plain == fast ? "  plain and fast agree" : "  PLAIN AND FAST DIFFER: \(plain) \(fast)")
    return agrees
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }

  private static func hex(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
