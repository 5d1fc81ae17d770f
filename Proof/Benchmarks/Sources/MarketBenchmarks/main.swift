// Usage: swift run -c release MarketBenchmarks [--file PATH] [--messages N] [--passes N] [--seed N]
//     [--only decode|apply|read|all|session|checked]
// Prints medians and ratios of one run, and each contender's fastest pass. If `NAME.expected.json`
// next to the file contains a "rolling_sum", the sum is compared.

import Foundation

func option(_ name: String) -> String? {
  let arguments = CommandLine.arguments
  guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
  return arguments[index + 1]
}

/// Processor seconds that this process has used: other work on the machine does not count.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Processor time since the latest start.
struct Stopwatch {
  private var start = processorSeconds()

  var seconds: Double { processorSeconds() - start }

  mutating func restart() { start = processorSeconds() }
}

struct Measured {
  let median: Double
  let quickest: Double
  /// Of the last run.
  let checksum: UInt64
}

func measure(_ passes: Int, _ work: (inout Stopwatch) -> UInt64) -> Measured {
  var times: [Double] = []
  var checksum: UInt64 = 0
  for _ in 0..<passes {
    var watch = Stopwatch()
    checksum = work(&watch)
    times.append(watch.seconds)
  }
  times.sort()
  return Measured(median: times[times.count / 2], quickest: times[0], checksum: checksum)
}

func report(_ name: String, _ messages: Int, _ measured: Measured, against plain: Double?) {
  let seconds = measured.median / Double(messages)
  let quickest = measured.quickest / Double(messages) * 1e9
  let ratio = plain.map { String(format: "%8.1f ×", $0 / seconds) } ?? ""
  let label = name.padding(toLength: 38, withPad: " ", startingAt: 0)
  let figures = String(
    format: "%10.0f /s %7.0f ns, quickest %7.0f ns", 1 / seconds, seconds * 1e9, quickest)
  print(label + figures + ratio)
}

/// The parts of the work, each to be run alone for a profiler.
let parts: [(name: String, label: String, work: (MessageStream, inout Stopwatch) -> UInt64)] = [
  ("all", "Livetape, best 20", Contenders.livetape),
  ("apply", "Livetape, no reading", Contenders.livetapeApplyOnly),
  ("decode", "Livetape, decoding alone", Contenders.livetapeDecodeOnly),
  ("read", "Livetape, reading the best 20 alone", Contenders.livetapeReadOnly),
  ("session", "Livetape session with effects", Contenders.livetapeSession),
  ("checked", "Livetape, best 20 and their checksum", Contenders.livetapeChecked),
]

let count = option("--messages").flatMap(Int.init) ?? 200_000
let passes = option("--passes").flatMap(Int.init) ?? 7
let stream: MessageStream
if let file = option("--file") {
  stream = try MessageStream(file: file)
} else {
  var generator = StreamGenerator(seed: option("--seed").flatMap(UInt64.init) ?? 7)
  stream = generator.stream(count: count)
}
print(
  "\(stream.ranges.count) messages, \(stream.bytes.count) bytes, "
    + "medians of \(passes) passes, processor time")

if let only = option("--only") {
  for part in parts where part.name == only {
    let measured = measure(passes) { part.work(stream, &$0) }
    report(part.label, stream.ranges.count, measured, against: nil)
  }
  exit(0)
}

let short = stream.prefix(min(20_000, stream.ranges.count))
let plain = measure(3) { Contenders.plain(short, &$0) }
let check = measure(1) { Contenders.livetapeChecked(short, &$0) }
guard plain.checksum == check.checksum else { fatalError("the two books differ") }
let plainSeconds = plain.median / Double(short.ranges.count)
report("JSONDecoder + sorted array, best 20", short.ranges.count, plain, against: nil)

var sums: [UInt64] = []
for part in parts {
  let measured = measure(passes) { part.work(stream, &$0) }
  sums.append(measured.checksum)
  report(part.label, stream.ranges.count, measured, against: plainSeconds)
}

let sum = String(sums[sums.count - 1], radix: 16)
print("rolling sum \(String(repeating: "0", count: 16 - sum.count))\(sum)")
if let file = option("--file") {
  let expected = file.replacingOccurrences(of: ".ndjson", with: ".expected.json")
  if let data = FileManager.default.contents(atPath: expected),
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any],
    let wanted = object["rolling_sum"] as? String
  {
    print(wanted == String(repeating: "0", count: 16 - sum.count) + sum ? "as expected" : "WRONG")
  }
}
