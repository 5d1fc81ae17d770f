// One seed, one world, one course: everything that can be simulated under one clock, with every
// rule checked after every step.
//
// The real parts: the simulated venues with their faults, the feed hub with its connection machines
// and sessions, the topic server with its screens. Simulated: time, the network, the pages.
// docs/decisions/0030-deterministic-simulation.md lists what is not simulated.

public import MarketModel

/// What a course is made of.
public struct SimulationOptions: Sendable {
  /// Decides everything that happens.
  public var seed: UInt64
  /// How long things go wrong, in virtual milliseconds; recovery comes after.
  public var troubleMilliseconds: Int64
  /// How many actions are done; nil for all.
  ///
  /// Shrinking lowers it.
  public var maximumActions: Int?
  /// A mistake that a test plants.
  public var mistake: PlantedMistake?
  /// Which venues there are, of Kraken, BitMEX and the exchange; nil leaves that to the seed.
  public var venues: [Venue]?
  /// How many times as slow as the simulated venues' own the markets are; nil leaves that to the
  /// seed.
  public var calm: Int64?
  /// Whether the latest steps are kept as lines.
  public var keepsLines: Bool

  /// Makes options.
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

/// What came of a course.
public struct SimulationReport: Sendable {
  /// Its seed.
  public let seed: UInt64
  /// The broken rule that ended it; nil when all held.
  public let finding: SimulationFinding?
  /// A hash of everything that happened.
  public let traceHash: UInt64
  /// How many things happened.
  public let steps: Int
  /// How often rules were checked.
  public let checks: Int
  /// How many orders were acknowledged.
  public let orders: Int
  /// How long it lasted, in virtual milliseconds.
  public let virtualMilliseconds: Int64
  /// How many actions were done.
  public let actions: Int
  /// The actions that were done, as lines.
  public let script: [String]
  /// The kinds of trouble that there were: the words of ``SimulatedTrouble/all``.
  public let trouble: Set<String>
  /// The latest steps, where they were kept.
  public let lines: [String]
  /// How often a page showed a book as live when it was looked at.
  public let liveLooks: Int
  /// How long truth strips were compared with what they had to say, in virtual milliseconds of one
  /// book.
  public let stripMilliseconds: Int64
}

/// Runs courses.
public enum SimulationCourse {
  /// Runs one course to its end, or to the first broken rule.
  ///
  /// On the thread that calls it, and equal for equal options.
  public static func run(_ options: SimulationOptions) -> SimulationReport {
    SimulationWorld(options).run()
  }

  /// The shortest beginning of a course's actions that breaks a rule, too; nil when it breaks none.
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
