// Runs as many seeds as wanted and says what was found.

import ArgumentParser
import MarketSimulation

/// `livetape-simulation --seeds N`.
@main
struct SimulationCommand: ParsableCommand {
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
  @Flag(help: "Print a line for each seed.")
  var verbose = false

  mutating func validate() throws {
    guard seeds > 0, hours > 0.003, hours <= 1000 else {
      throw ValidationError("Expected at least one seed, and from 0.003 to 1000 hours.")
    }
  }

  mutating func run() throws {
    let clock = ContinuousClock()
    let begin = clock.now
    var (steps, checks, findings, looks, virtual) = (0, 0, 0, 0, Int64(0))
    for seed in from..<(from + seeds) {
      let options = SimulationOptions(
        seed: seed, troubleMilliseconds: Int64(hours * 3_600_000))
      let report = SimulationCourse.run(options)
      steps += report.steps
      checks += report.checks
      looks += report.liveLooks
      virtual += report.virtualMilliseconds
      if verbose {
        print("seed \(seed): hash \(String(report.traceHash, radix: 16)), \(report.steps) steps")
      }
      guard report.finding != nil else { continue }
      findings += 1
      tell(options)
    }
    let seconds = (clock.now - begin) / .seconds(1)
    let virtualHours = Double(virtual) / 3_600_000
    print(
      "\(seeds) seeds from \(from): \(rounded(virtualHours)) virtual hours, \(steps) steps, "
        + "\(checks) checks, \(looks) looks at live books, \(findings) findings; "
        + "\(rounded(seconds)) s, \(rounded(virtualHours * 3600 / seconds)) hours an hour")
    if findings > 0 { throw ExitCode.failure }
  }

  private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  /// What broke a rule, and how little is enough for it.
  private func tell(_ options: SimulationOptions) {
    var options = options
    options.keepsLines = verbose
    guard let least = SimulationCourse.shrink(options), let finding = least.finding else { return }
    print("seed \(options.seed): \(finding)")
    for line in least.script { print("  \(line)") }
    for line in least.lines { print("    \(line)") }
  }
}
