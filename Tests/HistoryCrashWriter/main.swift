// A process for the history's tests to kill, or for a defect to crash: it records candles as fast
// as it can and prints how many are stored. It ends when its output is no longer read.
//
//     history-crash-writer write FOLDER SEED    records until it is killed; "kept COUNT" at a flush
//     history-crash-writer open FOLDER          as an ordinary user; prints the failure
//     history-crash-writer damage FOLDER SEED   six readers of 100 damaged histories

import ChartModel
import Foundation
import HistoryStore
import MarketModel

/// Ends the process when its output is no longer read.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// The candle with a number: three markets, two intervals, and the number as price and volume.
func record(_ number: Int64) -> CandleRecord {
  let symbols: [StaticString] = ["BTC/USD", "ETH/USD", "XRP/USD"]
  let interval = number / 3 % 2 == 0 ? CandleInterval.fiveMinutes : .hour
  return CandleRecord(
    InstrumentKey(.kraken, Symbol(known: symbols[Int(number % 3)])), interval,
    priceScale: Scale(clamping: 8), quantityScale: Scale(clamping: 8),
    Candle(
      start: number * interval.milliseconds, price: Price(units: number),
      volume: Quantity(units: number)))
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(2) }
if arguments[1] == "open" {
  // Root may write anywhere, so a test that runs as root would prove nothing.
  if geteuid() == 0, setgroups(0, nil) != 0 || setgid(65_534) != 0 || setuid(65_534) != 0 {
    exit(2)
  }
}
if arguments[1] == "damage" {
  try readDamagedHistories(folder: arguments[2], seed: UInt64(arguments[3]) ?? 1)
  exit(0)
}
let store = HistoryStore(folder: arguments[2], now: { Timestamp(milliseconds: 1_790_000_000_000) })
if arguments[1] == "open" {
  store.record([record(0)])
  store.flush()
  say(store.status.failure.map { "failure \($0)" } ?? "open")
  exit(0)
}
var random = SplitMix64(seed: UInt64(arguments.dropFirst(3).first ?? "") ?? 1)
var next: Int64 = 0
for number in Int64(0)..<6 {
  // Skips what an earlier writer of this folder has stored.
  let sample = record(number)
  let last = try store.candles(sample.instrument, sample.interval, limit: 1).candles.last
  next = max(next, (last?.close.units ?? -1) + 1)
}
say("kept \(next)")
while true {
  let count = 1 + random.below(60)
  store.record((next..<next + count).map(record))
  next += count
  if random.below(4) == 0 {
    store.flush()
    say("kept \(next)")
  }
}
