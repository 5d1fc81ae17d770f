// Usage: swift run -c release KrakenBenchmark [--depth N] [--minutes N] [--passes N]
// Decodes, applies and proves the book messages of the simulated Kraken's BTC/USD, again and again.

import Foundation
import MarketModel
import OrderBook
import VenueProtocols
import VenueSimulator

func option(_ name: String, _ missing: Int) -> Int {
  let arguments = CommandLine.arguments
  guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
    return missing
  }
  return Int(arguments[index + 1]) ?? missing
}

/// Seconds of processor time that this process has used: other work on the machine does not count.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Everything that a client of one book receives in some minutes.
func record(depth: Int, minutes: Int) -> [[UInt8]] {
  var now = Timestamp(milliseconds: 1_790_000_000_000)
  var venue = SimulatedKraken(seed: 7, start: now)
  let client = ClientID(1)
  _ = venue.connect(client, VenueRequest(path: "/v2"), at: now)
  let request =
    #"{"method":"subscribe","params":{"channel":"book","symbol":["BTC/USD"],"depth":\#(depth)}}"#
  var effects = venue.receive(Array(request.utf8), binary: false, from: client, at: now)
  for _ in 0..<(minutes * 60) {
    now = Timestamp(nanoseconds: now.nanoseconds + 1_000_000_000)
    effects += venue.receive(
      Array(#"{"method":"ping"}"#.utf8), binary: false, from: client, at: now)
    effects += venue.advance(to: now)
  }
  return effects.compactMap { effect in
    guard case .send(_, let bytes, _) = effect,
      bytes.starts(with: Array(#"{"channel":"book""#.utf8))
    else { return nil }
    return bytes
  }
}

let messages = record(depth: option("--depth", 100), minutes: option("--minutes", 30))
let bytes = messages.reduce(0) { $0 + $1.count }
guard let symbol = Symbol("BTC/USD"), let first = messages.first else { fatalError("no messages") }
var replay = KrakenReplay()
let now = ClockReading(milliseconds: 1)
var times: [Double] = []
for _ in 0..<option("--passes", 9) {
  let start = processorSeconds()
  for message in messages { replay.process(message.span, at: now) }
  times.append(processorSeconds() - start)
}
guard let view = replay.bookView(for: symbol, at: now), view.status == .synced, view.resyncs == 0
else { fatalError("a checksum was wrong") }
let median = times.sorted()[times.count / 2] / Double(messages.count)
print(
  "\(messages.count) messages of \(bytes / messages.count) bytes (snapshot: \(first.count)); "
    + "decoded, applied and proven: \(Int(median * 1e9)) ns each, "
    + "\(Int(1 / median)) a second; all checksums right")
