// Worlds from seeds: every rule holds, equal seeds give equal runs.

import MarketModel
import TestSupport
import Testing

@testable import MarketSimulation

@Suite struct SimulationTests {
  /// Short worlds, and a sixth that last longer, in most of which Kraken is one of few venues: a
  /// wrong checksum, which only Kraken can have, is rare otherwise.
  private static let worlds = (1...repetitions(24, all: 240)).map { seed in
    let isLong = seed <= repetitions(4, all: 40)
    var options = SimulationOptions(
      seed: UInt64(seed), troubleMilliseconds: isLong ? repetitions(25_000, all: 60_000) : 12_000)
    if isLong { options.venues = SimulationScript.oldestVenues(seed: options.seed) }
    return options
  }

  @Test func `every rule holds in every world, and every kind of trouble comes`() async {
    var reports: [SimulationReport] = []
    await SimulationCourse.runAll(Self.worlds, atOnce: 4) { reports.append($1) }
    #expect(reports.count == Self.worlds.count)
    for report in reports {
      let script = report.script.joined(separator: "\n")
      let words = report.finding?.description ?? ""
      #expect(report.finding == nil, "seed \(report.seed): \(words)\n\(script)")
      #expect(report.checks > 0, "seed \(report.seed)")
    }
    let trouble = reports.reduce(into: Set<String>()) { $0.formUnion($1.trouble) }
    #expect(trouble.subtracting(SimulatedTrouble.all) == [])
    // A few worlds don't include every kind.
    let absent = SimulatedTrouble.all.subtracting(trouble)
    #expect(repetitions(true, all: absent.isEmpty), "\(absent) came in no world")
  }

  /// Each broke a rule once, by a mistake of the simulation's own record or of its faults.
  private static let broken = [
    // Slow frames during a stretch of the strip.
    SimulationOptions(seed: 304, calm: 1),
    // A silence of the venue after a delay that reordered messages.
    SimulationOptions(seed: 9),
    // A sleep of the machine, after which messages overtook those in flight.
    SimulationOptions(seed: 137),
    // Lost changes of a book while the venue's heartbeats continued.
    SimulationOptions(seed: 469),
    // A pair that the venue lists after all, which no page saw again.
    SimulationOptions(seed: 684),
    // A list of pairs with a damaged row, which hid a pair for ever.
    SimulationOptions(seed: 9339),
    // A sleep, after which one clock reading found a book overdue in two ways.
    SimulationOptions(seed: 2511),
    // A sleep, after which the response to an earlier request counted for the new one.
    SimulationOptions(seed: 5109),
    // A clock that was set ahead, back and ahead again within a stretch of the strip.
    SimulationOptions(seed: 9328),
  ]

  @Test(arguments: broken.prefix(repetitions(3, all: broken.count)))
  func `a world that broke a rule once breaks none`(options: SimulationOptions) {
    var options = options
    // Its world had no other venues.
    options.venues = SimulationScript.oldestVenues(seed: options.seed)
    let report = SimulationCourse.run(options)
    #expect(report.finding == nil, "seed \(options.seed): \(report.finding?.description ?? "")")
  }

  @Test(arguments: [Venue.kraken, .coinbase, .binance, .okx, .bybit, .bybitLinear, .bitmex])
  func `every rule holds at each book venue`(venue: Venue) {
    for seed in 1...UInt64(repetitions(2, all: 20)) {
      let report = SimulationCourse.run(
        SimulationOptions(seed: seed, troubleMilliseconds: 20_000, venues: [venue], calm: 8))
      #expect(report.finding == nil, "seed \(seed): \(report.finding?.description ?? "")")
      #expect(report.liveLooks > 0, "seed \(seed)")
    }
  }

  @Test func `truth strips are compared with the record`() {
    let report = SimulationCourse.run(
      SimulationOptions(seed: 1, troubleMilliseconds: 25_000, venues: [.kraken]))
    #expect(report.stripMilliseconds > 0 && report.liveLooks > 0)
  }

  @Test func `the same seed gives the same trace, another seed another one`() {
    let reports = [UInt64(7), 7, 8].map {
      SimulationCourse.run(SimulationOptions(seed: $0, troubleMilliseconds: 15_000))
    }
    #expect(reports[0].traceHash == reports[1].traceHash)
    #expect(reports[0].steps == reports[1].steps)
    #expect(reports[0].traceHash != reports[2].traceHash)
  }

  @Test(arguments: [0, 1, 3, 8])
  func `many worlds at a time come in their order, each as it is alone`(atOnce: Int) async {
    let worlds = (3...UInt64(repetitions(5, all: 9))).map {
      SimulationOptions(seed: $0, troubleMilliseconds: 12_000)
    }
    var together: [SimulationReport] = []
    await SimulationCourse.runAll(worlds, atOnce: atOnce) { options, report in
      #expect(options.seed == report.seed)
      together.append(report)
    }
    let alone = worlds.map(SimulationCourse.run)
    #expect(together.map(\.seed) == worlds.map(\.seed))
    #expect(together.map(\.traceHash) == alone.map(\.traceHash))
  }
}
