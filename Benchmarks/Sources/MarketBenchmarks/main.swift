// Usage: swift run -c release MarketBenchmarks [--file PATH] [--messages N] [--passes N] [--seed N]
// Prints medians and ratios of one run. With a file beside which `NAME.expected.json` holds a
// "rolling_sum", the sum is compared.

import Foundation

func option(_ name: String) -> String? {
  let arguments = CommandLine.arguments
  guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
  return arguments[index + 1]
}

/// Seconds of processor time that this process has used: other work on the machine does not count.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The median processor time of `passes` runs, and the checksum of the last.
func measure(_ passes: Int, _ work: () -> UInt64) -> (seconds: Double, checksum: UInt64) {
  var times: [Double] = []
  var checksum: UInt64 = 0
  for _ in 0..<passes {
    let start = processorSeconds()
    checksum = work()
    times.append(processorSeconds() - start)
  }
  return (times.sorted()[times.count / 2], checksum)
}

func report(_ name: String, _ messages: Int, _ seconds: Double, against plain: Double?) {
  let perSecond = Double(messages) / seconds
  let nanoseconds = seconds / Double(messages) * 1e9
  let ratio = plain.map { String(format: "%8.1f ×", $0 / (seconds / Double(messages))) } ?? ""
  let label = name.padding(toLength: 44, withPad: " ", startingAt: 0)
  print(label + String(format: "%10.0f /s %8.0f ns", perSecond, nanoseconds) + ratio)
}

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

let short = stream.prefix(min(20_000, stream.ranges.count))
let plain = measure(3) { Contenders.plain(short) }
let check = measure(1) { Contenders.livetape(short) }
guard plain.checksum == check.checksum else { fatalError("the two books differ") }
let plainSeconds = plain.seconds / Double(short.ranges.count)
report("JSONDecoder + sorted array, best 20", short.ranges.count, plain.seconds, against: nil)

let full = measure(passes) { Contenders.livetape(stream) }
report("Livetape, best 20", stream.ranges.count, full.seconds, against: plainSeconds)
let apply = measure(passes) { Contenders.livetapeApplyOnly(stream) }
report("Livetape, no reading", stream.ranges.count, apply.seconds, against: plainSeconds)
let session = measure(passes) { Contenders.livetapeSession(stream) }
report("Livetape session with effects", stream.ranges.count, session.seconds, against: plainSeconds)

let sum = String(full.checksum, radix: 16)
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
