// Usage: swift run -c release VenueBenchmark [--minutes N] [--passes N] [--first N] [--venue NAME]
// [--write FOLDER]
// Repeatedly decodes, applies and validates the book messages of each simulated spot venue.
// `--first` stops after so many messages; `--write` stores them, one a line, as VENUE.jsonl.

import BookMessages
import Foundation
import MarketModel
import Measuring
import VenueProtocols

let passes = option("--passes", 9)
let first = option("--first", .max)
let now = ClockReading(milliseconds: 1)
let only = CommandLine.arguments.firstIndex(of: "--venue").map { CommandLine.arguments[$0 + 1] }
let folder = CommandLine.arguments.firstIndex(of: "--write").map { CommandLine.arguments[$0 + 1] }

for feed in BookFeed.all where only == nil || only == feed.venue.rawValue {
  let messages = feed.messages(
    minutes: option("--minutes", 10), from: Timestamp(milliseconds: 1_790_000_000_000)
  ).prefix(first)
  let bytes = messages.reduce(0) { $0 + $1.count }
  if let folder {
    var lines = Data()
    for message in messages { lines.append(contentsOf: message + [UInt8(ascii: "\n")]) }
    try lines.write(to: URL(fileURLWithPath: "\(folder)/\(feed.venue.rawValue).jsonl"))
  }
  guard case .allInstruments(let make) = feed.venue.adapter.replay,
    let symbol = Symbol(feed.symbol)
  else { fatalError("\(feed.venue) has no replay") }
  var times: [Double] = []
  for _ in 0..<passes {
    var replay = make()
    let start = processorSeconds()
    for message in messages { replay.process(message.span, at: now) }
    times.append(processorSeconds() - start)
    guard let view = replay.bookView(for: symbol, at: now), view.status == .synced,
      view.resyncs == 0
    else { fatalError("\(feed.venue): the book is not valid") }
  }
  let median = times.sorted()[times.count / 2]
  print(
    "\(feed.venue): \(messages.count) messages of \(bytes / max(1, messages.count)) bytes, "
      + "\(Int(median * 1e9) / max(1, messages.count)) ns each, "
      + "\(String(format: "%.2f", median * 1e9 / Double(bytes))) ns a byte")
}
