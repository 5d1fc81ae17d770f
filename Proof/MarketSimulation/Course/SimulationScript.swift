import MarketModel

/// A course from a seed: the kinds of trouble (each seed has a few, so that some courses have much
/// of one) and the time of each action.
struct SimulationScript: Sendable {
  let venues: [Venue]
  let pages: Int
  /// The number of bytes at which a page's socket is full.
  let highWaterMark: Int
  /// The network's minimum delay and random addition, in milliseconds, by venue.
  let delays: [(latency: Int64, jitter: Int64)]
  /// The factor by which markets are slower than the venues' own.
  let calm: Int64
  let actions: [PlannedAction]

  private static let calms: [Int64] = [1, 8, 8, 20]
  /// A course of at least this length also has lulls of minutes.
  private static let longMilliseconds: Int64 = 600_000

  /// The start is quiet, so that everything is connected before something breaks.
  static let quietMilliseconds: Int64 = 5000

  /// Creates a course.
  ///
  /// - Parameters:
  ///   - seed: Determines everything.
  ///   - troubleMilliseconds: When the last fault ends.
  ///   - venues: The venues; nil lets the seed choose.
  init(seed: UInt64, troubleMilliseconds: Int64, venues: [Venue]?) {
    var random = SplitMix64(seed: seed ^ 0x5eed)
    let oldest = SimulationScript.oldest
    let few = oldest[Int(random.below(Int64(oldest.count)))]
    self.venues = venues ?? SimulationScript.venues(seed: seed, otherwise: few)
    let pages = 1 + Int(random.below(3))
    self.pages = pages
    highWaterMark = [16 << 10, 64 << 10, 1 << 20][Int(random.below(3))]
    delays = self.venues.map { _ in (1 + random.below(60), 1 + random.below(40)) }
    var chance = SplitMix64(seed: seed ^ 0xca1f)
    calm = SimulationScript.calms[Int(chance.below(Int64(SimulationScript.calms.count)))]
    var plan = TroublePlan(venues: self.venues, pages: pages, &random)
    var actions: [PlannedAction] = []
    for page in 0..<pages {
      actions += plan.opening(page, &random).map { PlannedAction(milliseconds: 0, action: $0) }
      let frames = [16, 33, 250, 250, 1000, 1000][Int(random.below(6))]
      actions.append(
        PlannedAction(milliseconds: 0, action: .frames(page: page, milliseconds: Int64(frames))))
    }
    var time = SimulationScript.quietMilliseconds
    let pace = 500 + random.below(8000)
    while true {
      time += 1 + random.below(2 * pace)
      guard time < troubleMilliseconds - 1000 else { break }
      let action = plan.next(before: troubleMilliseconds - time, &random)
      if let action { actions.append(PlannedAction(milliseconds: time, action: action)) }
      guard troubleMilliseconds >= SimulationScript.longMilliseconds, chance.below(8) == 0 else {
        continue
      }
      let lull = 60_000 + chance.below(600_000)
      actions += SimulationScript.frames(1000, pages, at: time + 1)
      time += lull
      actions += SimulationScript.frames(100, pages, at: time)
    }
    self.actions = actions
  }

  private static let oldest: [[Venue]] = [
    [.kraken], [.bitmex], [.exchange], [.kraken, .exchange], [.bitmex, .kraken],
    [.bitmex, .kraken, .exchange],
  ]

  /// The venues of a world before it could have more than three kinds.
  static func oldestVenues(seed: UInt64) -> [Venue] {
    var random = SplitMix64(seed: seed ^ 0x5eed)
    return oldest[Int(random.below(Int64(oldest.count)))]
  }

  private static func venues(seed: UInt64, otherwise few: [Venue]) -> [Venue] {
    let more: [[Venue]] = [
      [.coinbase], [.okx], [.bybit], [.binance], [.kraken, .coinbase, .binance, .okx, .bybit],
      [.bitmex, .coinbase, .okx], [.bybit, .bybitLinear, .binance], [.binance, .exchange],
    ]
    var chance = SplitMix64(seed: seed ^ 0xb00c)
    return chance.below(3) == 0 ? few : more[Int(chance.below(Int64(more.count)))]
  }

  private static func frames(
    _ milliseconds: Int64, _ pages: Int, at time: Int64
  ) -> [PlannedAction] {
    (0..<pages).map {
      PlannedAction(milliseconds: time, action: .frames(page: $0, milliseconds: milliseconds))
    }
  }
}
