// Compares the plain and the fast matching engine on one flow and checks that they agree. Options:
// --csv FILE (a flow in a file), --commands N, --seed N, --runs N.

import Foundation
import OrderMatching

var options: [String: String] = [:]
var arguments = CommandLine.arguments.dropFirst()
while let name = arguments.popFirst() {
  guard ["--csv", "--commands", "--seed", "--runs", "--prefill"].contains(name),
    let value = arguments.popFirst()
  else {
    FileHandle.standardError.write(Data("MatchingBenchmark: unknown option \(name)\n".utf8))
    exit(2)
  }
  options[name] = value
}

let count = options["--commands"].flatMap(Int.init) ?? 1_000_000
let seed = options["--seed"].flatMap(UInt64.init) ?? 11
let runs = max(1, options["--runs"].flatMap(Int.init) ?? 7)
let prefillCount = max(0, options["--prefill"].flatMap(Int.init) ?? 20_000)

do {
  let agrees: Bool
  if let path = options["--csv"] {
    let all = try OrderFile.commands(path: path)
    let prefill = Array(all.prefix(prefillCount))
    agrees = MatchingReport.compare(
      prefill: prefill, chunks: [Array(all.dropFirst(prefillCount))], runs: runs,
      expected: OrderFile.expected(path: path))
  } else {
    var flow = OrderFlow(seed: seed, prefill: prefillCount)
    let prefill = flow.prefillCommands()
    var chunks: [[OrderCommand]] = []
    var left = max(0, count)
    while left > 0 {
      chunks.append(flow.commands(min(left, 1_000_000)))
      left -= chunks[chunks.count - 1].count
    }
    agrees = MatchingReport.compare(prefill: prefill, chunks: chunks, runs: runs, expected: [:])
  }
  exit(agrees ? 0 : 1)
} catch {
  FileHandle.standardError.write(Data("MatchingBenchmark: \(error)\n".utf8))
  exit(1)
}
