// A rule that can't fail proves nothing: each finds a planted mistake.

import MarketModel
import MarketSimulation
import Testing

@Suite struct PlantedMistakeTests {
  /// A mistake, the rule that finds it, and a world in which it matters.
  struct Plant: Sendable {
    let mistake: PlantedMistake
    let invariant: SimulationInvariant
    var venue = Venue.kraken
    var seed: UInt64 = 1
    var milliseconds: Int64 = 30_600
  }

  @Test(arguments: [
    Plant(mistake: .pageIgnoresFreshness, invariant: .truth, seed: 6),
    Plant(mistake: .pageGetsOtherRows, invariant: .proof),
    Plant(mistake: .pageLosesMessages, invariant: .sequence),
    Plant(mistake: .hubIsHasty, invariant: .budget, seed: 20, milliseconds: 39_600),
    Plant(mistake: .asksTwice, invariant: .oneResync),
    Plant(mistake: .socketNeverFull, invariant: .bounds, seed: 18),
    Plant(mistake: .diskForgets, invariant: .orders, venue: .exchange, seed: 11),
    Plant(mistake: .stripFlatters, invariant: .strip, milliseconds: 60_000),
    Plant(mistake: .neverHeals, invariant: .recovery, seed: 6),
  ])
  func `a mistake is found by its rule`(plant: Plant) {
    let options = SimulationOptions(
      seed: plant.seed, troubleMilliseconds: plant.milliseconds, mistake: plant.mistake,
      venues: [plant.venue])
    let report = SimulationCourse.run(options)
    #expect(report.finding?.invariant == plant.invariant, "seed \(plant.seed): \(report)")
  }

  @Test func `a broken rule shrinks to the shortest beginning that breaks one`() {
    let options = SimulationOptions(
      seed: 11, troubleMilliseconds: 30_600, mistake: .diskForgets, venues: [.exchange])
    let (whole, least) = (SimulationCourse.run(options), SimulationCourse.shrink(options))
    #expect(least?.finding != nil)
    #expect((least?.actions ?? .max) <= whole.actions)
  }
}
