// Usage: swift run -c release LadderBenchmark [--rate N] [--frames N] [--seconds N] [--passes N]
// The cost of the latency ladder: the simulated Kraken's book messages at a rate, decoded and
// applied with and without it. A message that begins a frame is measured as in the hub and the
// server: two clock readings, the message's time, and all eight rungs, the maximum, as behind a
// bus; each second a report is made.

import BookMessages
import Foundation
import MarketModel
import MarketStreams
import Measuring
import OrderBook
import VenueProtocols

func readClock() -> ClockReading {
  var (up, wall) = (timespec(), timespec())
  clock_gettime(CLOCK_BOOTTIME, &up)
  clock_gettime(CLOCK_REALTIME, &wall)
  return ClockReading(
    monotonic: MonotonicTime(nanoseconds: Int64(up.tv_sec) * 1_000_000_000 + Int64(up.tv_nsec)),
    wall: Timestamp(nanoseconds: Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec)))
}

let (rate, frames) = (option("--rate", 12_000), option("--frames", 60))
let seconds = option("--seconds", 20)
// Recent times: old ones would not count as latency.
let messages = bookMessages(
  depth: 100, minutes: 30,
  from: Timestamp(milliseconds: readClock().wall.milliseconds - 31 * 60_000))
let session = KrakenSession(origin: .simulated)

/// Processor seconds of some seconds of messages.
func run(isMeasured: Bool) -> (seconds: Double, measured: Int) {
  var replay = KrakenReplay()
  var ladder = LatencyLadder(venue: .kraken, pings: .timed, resolution: 1000)
  let begin = readClock()
  ladder.take(
    ReaderTime(
      epoch: 1, sent: begin.monotonic, got: begin.wall, answered: begin.wall,
      received: readClock().monotonic))
  let venueClock = ClockEstimate(offset: 0, within: 100_000, method: .pings, steps: 0, drift: nil)
  var measured = 0
  let start = processorSeconds()
  for number in 0..<(rate * seconds) {
    let message = messages[number % messages.count]
    let now = readClock()
    replay.process(message.span, at: now)
    guard isMeasured else { continue }
    if number % max(1, rate / frames) == 0 {
      let decoded = readClock().monotonic
      if case .event(let time) = session.times(in: message.span) {
        let relayed = RelayedMessage(
          epoch: 1, read: now.wall, held: 20_000, venueClock: venueClock)
        ladder.relayed(relayed, dated: time, at: now.monotonic)
      }
      for rung in LatencyRung.allCases where ![.socket, .reader, .bus].contains(rung) {
        ladder.record(rung, decoded.nanoseconds - now.monotonic.nanoseconds, at: decoded)
      }
      measured += 1
    }
    if number % rate == 0 { _ = ladder.report(at: now) }
  }
  return (processorSeconds() - start, measured)
}

var (with, without): ([Double], [Double]) = ([], [])
var measured = 0
for _ in 0..<option("--passes", 9) {
  without.append(run(isMeasured: false).seconds)
  let run = run(isMeasured: true)
  with.append(run.seconds)
  measured = run.measured
}
let (least, plain) = (with.min() ?? 0, without.min() ?? 0)
let share = (least - plain) / Double(seconds) * 100
print(
  "\(rate) messages a second, \(measured / seconds) of them measured: "
    + "\(Int(plain / Double(seconds) * 1e6)) µs a second without the ladder, "
    + "\(Int(least / Double(seconds) * 1e6)) with it; "
    + "it costs \(Double(Int(share * 1000)) / 1000) % of a core")
