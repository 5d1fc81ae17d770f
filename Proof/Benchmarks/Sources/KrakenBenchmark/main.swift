// Usage: swift run -c release KrakenBenchmark [--depth N] [--minutes N] [--passes N]
// Repeatedly decodes, applies and validates the book messages of the simulated Kraken's BTC/USD.

import BookMessages
import MarketModel
import Measuring
import OrderBook
import VenueProtocols

let messages = bookMessages(
  depth: option("--depth", 100), minutes: option("--minutes", 30),
  from: Timestamp(milliseconds: 1_790_000_000_000))
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
