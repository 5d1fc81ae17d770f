public import ArgumentParser
public import MarketModel
public import MarketSimulation
import NIOCore

/// `livetape-simulation --seeds N` runs seeds and reports findings.
@main
struct SimulationCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "livetape-simulation",
    abstract: "Runs simulated worlds, one a seed, and checks every rule after every step.",
    discussion: "Exit status 1 when a rule was broken; the seed and the shortest beginning of its "
      + "actions that breaks one are printed.")

  @Option(help: "How many seeds.")
  var seeds: UInt64 = 100
  @Option(help: "The first seed.")
  var from: UInt64 = 1
  @Option(help: "How many virtual hours things go wrong in each seed.")
  var hours = 1.0 / 60
  @Option(help: "A mistake to plant, to see a rule fail.")
  var plant: PlantedMistake?
  @Option(help: "Only this venue with a book, or exchange; again for several.")
  var venue: [Venue] = []
  @Option(help: "How many times as slow as the venues' own the markets are; else by the seed.")
  var calm: Int64?
  @Option(help: "How many seeds at a time; as many as there are cores, unless said.")
  var jobs = System.coreCount
  @Flag(help: "Print a line for each seed.")
  var verbose = false

  mutating func validate() throws {
    guard seeds > 0, hours > 0.003, hours <= 1000 else {
      throw ValidationError("Expected at least one seed, and from 0.003 to 1000 hours.")
    }
    guard calm.map({ (1...100).contains($0) }) ?? true else {
      throw ValidationError("Expected markets from 1 to 100 times as slow.")
    }
    guard (1...256).contains(jobs) else {
      throw ValidationError("Expected from 1 to 256 seeds at a time.")
    }
    let possible = SimulationOptions.possibleVenues
    guard Set(venue).isSubset(of: possible) else {
      let names = possible.map(\.rawValue).sorted().joined(separator: ", ")
      throw ValidationError("Expected one of \(names).")
    }
  }

  func run() async throws {
    let clock = ContinuousClock()
    let begin = clock.now
    var (steps, checks, findings, looks, orders) = (0, 0, 0, 0, 0)
    var (virtual, strips) = (Int64(0), Int64(0))
    await SimulationCourse.runAll((from..<(from + seeds)).lazy.map(options), atOnce: jobs) {
      options, report in
      steps += report.steps
      checks += report.checks
      looks += report.liveLooks
      orders += report.orders
      virtual += report.virtualMilliseconds
      strips += report.stripMilliseconds
      if verbose {
        let hash = String(report.traceHash, radix: 16)
        print("seed \(report.seed): hash \(hash), \(report.steps) steps")
      }
      guard let finding = report.finding else { return }
      findings += 1
      print("seed \(report.seed): \(finding)")
      for line in report.lines { print("    \(line)") }
      tell(options)
    }
    let seconds = (clock.now - begin) / .seconds(1)
    let virtualHours = Double(virtual) / 3_600_000
    print(
      "\(seeds) seeds from \(from): \(rounded(virtualHours)) virtual hours, \(steps) steps, "
        + "\(checks) checks, \(looks) looks at live books, "
        + "\(rounded(Double(strips) / 3_600_000)) hours of truth strips, \(orders) orders, "
        + "\(findings) findings; \(rounded(seconds)) s, \(jobs) at a time, "
        + "\(rounded(virtualHours * 3600 / seconds)) hours an hour")
    if findings > 0 { throw ExitCode.failure }
  }

  private func options(_ seed: UInt64) -> SimulationOptions {
    SimulationOptions(
      seed: seed, troubleMilliseconds: Int64(hours * 3_600_000), mistake: plant,
      venues: venue.isEmpty ? nil : venue, calm: calm, keepsLines: verbose)
  }

  private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  /// Prints the broken rule and its shortest reproduction.
  private func tell(_ options: SimulationOptions) {
    guard let least = SimulationCourse.shrink(options), let finding = least.finding else { return }
    print("  the least that breaks a rule: \(finding)")
    for line in least.script { print("  \(line)") }
  }
}

extension PlantedMistake: ExpressibleByArgument {}
extension Venue: ExpressibleByArgument {}
