// One seed, one world, one course: everything simulated under one clock, with every rule checked
// after every step.
//
// Real: the simulated venues with their faults, the feed hub with its connection machines and
// sessions, the topic server with its screens. Simulated: time, the network, the pages.
// docs/decisions/0030-deterministic-simulation.md lists what is missing.

public import MarketModel

/// The options of a course.
public struct SimulationOptions: Sendable {
  /// Determines everything that happens.
  public var seed: UInt64
  /// The time with faults, in virtual milliseconds; recovery follows.
  public var troubleMilliseconds: Int64
  /// The maximum number of actions; nil for all.
  ///
  /// Shrinking lowers it.
  public var maximumActions: Int?
  /// A mistake that a test plants.
  public var mistake: PlantedMistake?
  /// The venues, of ``possibleVenues``; nil lets the seed choose.
  public var venues: [Venue]?
  /// The factor by which markets are slower than the simulated venues' own; nil lets the seed
  /// choose.
  public var calm: Int64?
  /// Whether the latest steps are kept as lines.
  public var keepsLines: Bool

  /// The venues that a world may have.
  public static let possibleVenues: Set<Venue> = [
    .kraken, .coinbase, .binance, .okx, .bybit, .bybitLinear, .bitmex, .exchange,
  ]

  /// Creates options.
  public init(
    seed: UInt64, troubleMilliseconds: Int64 = 60_000, maximumActions: Int? = nil,
    mistake: PlantedMistake? = nil, venues: [Venue]? = nil, calm: Int64? = nil,
    keepsLines: Bool = false
  ) {
    self.seed = seed
    self.troubleMilliseconds = troubleMilliseconds
    self.maximumActions = maximumActions
    self.mistake = mistake
    self.venues = venues
    self.calm = calm
    self.keepsLines = keepsLines
  }
}

/// A course's results.
public struct SimulationReport: Sendable {
  /// The course's seed.
  public let seed: UInt64
  /// The broken rule that ended it; nil when all held.
  public let finding: SimulationFinding?
  /// A hash of everything that happened.
  public let traceHash: UInt64
  /// The number of steps.
  public let steps: Int
  /// The number of rule checks.
  public let checks: Int
  /// The number of acknowledged orders.
  public let orders: Int
  /// The duration, in virtual milliseconds.
  public let virtualMilliseconds: Int64
  /// The number of executed actions.
  public let actions: Int
  /// The executed actions, as lines.
  public let script: [String]
  /// The kinds of trouble that occurred, from ``SimulatedTrouble/all``.
  public let trouble: Set<String>
  /// The latest steps, if they were kept.
  public let lines: [String]
  /// How often a page showed a book as live at a check.
  public let liveLooks: Int
  /// How long truth strips were compared with the record, in virtual milliseconds of one book.
  public let stripMilliseconds: Int64
}

/// Runs courses.
public enum SimulationCourse {
  /// Runs one course to its end, or to the first broken rule.
  ///
  /// Runs on the calling thread; equal options give equal reports.
  public static func run(_ options: SimulationOptions) -> SimulationReport {
    SimulationWorld(options).run()
  }

  /// The shortest prefix of a course's actions that breaks a rule; nil when none does.
  ///
  /// O(actions) courses.
  public static func shrink(_ options: SimulationOptions) -> SimulationReport? {
    var least = options
    let whole = run(options)
    guard whole.finding != nil else { return nil }
    for count in 0..<whole.actions {
      least.maximumActions = count
      let report = run(least)
      if report.finding != nil { return report }
    }
    return whole
  }
}
