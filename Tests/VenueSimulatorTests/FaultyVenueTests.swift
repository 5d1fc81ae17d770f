// Each fault alone, over an echo: sent messages are recorded, so missing ones are found.

import MarketModel
import Testing
import VenueCatalogue
import VenueSimulator

@Suite struct FaultyVenueTests {
  private func driver(_ plan: FaultPlan, seed: UInt64 = 1) -> VenueDriver<
    FaultyVenue<SimulatedEcho>
  > {
    var driver = VenueDriver(FaultyVenue(SimulatedEcho(), plan: plan, seed: seed))
    driver.connect(1)
    return driver
  }

  /// What client 1 receives of "a", "b", "c", "d" under a plan, a second later.
  private func echoes(_ plan: FaultPlan) -> [String] {
    var driver = driver(plan)
    for text in ["a", "b", "c", "d"] { driver.send(text, from: 1) }
    driver.run(milliseconds: 1000)
    return driver.take(1)
  }

  @Test func `faults at message numbers befall exactly those messages`() {
    #expect(echoes(.none) == ["a", "b", "c", "d"])
    #expect(echoes(FaultPlan(faults: [2: .drop])) == ["a", "c", "d"])
    #expect(echoes(FaultPlan(faults: [2: .duplicate])) == ["a", "b", "b", "c", "d"])
    #expect(echoes(FaultPlan(faults: [2: .reorder])) == ["a", "c", "b", "d"])
    #expect(echoes(FaultPlan(faults: [4: .reorder])) == ["a", "b", "c", "d"])
    #expect(echoes(FaultPlan(faults: [2: .truncate])) == ["a", "", "c", "d"])
    let corrupted = echoes(FaultPlan(faults: [2: .corrupt]))
    #expect(corrupted.count == 4 && corrupted[1] != "b" && corrupted[1].utf8.count == 1)
  }

  @Test func `a delay holds the message and all that follow, in order`() {
    var driver = driver(FaultPlan(faults: [2: .delay(milliseconds: 300)]))
    for text in ["a", "b", "c"] { driver.send(text, from: 1) }
    #expect(driver.take(1) == ["a"])
    driver.run(milliseconds: 299)
    #expect(driver.take(1).isEmpty)
    driver.run(milliseconds: 1)
    #expect(driver.take(1) == ["b", "c"])
    driver.send("d", from: 1)
    #expect(driver.take(1) == ["d"])
  }

  @Test func `a half-open connection is silent and answers no pings`() {
    var driver = driver(FaultPlan(silentAfter: 2))
    #expect(driver.venue.answersPings(of: ClientID(1)))
    for text in ["a", "b", "c"] { driver.send(text, from: 1) }
    #expect(driver.take(1) == ["a", "b"])
    #expect(!driver.venue.answersPings(of: ClientID(1)))
    #expect(driver.closed.isEmpty)
  }

  @Test func `a connection can answer only pings`() {
    var driver = driver(FaultPlan(silentAfter: 0, silence: .allButPongs))
    for text in ["a", "pong", "b"] { driver.send(text, from: 1) }
    #expect(driver.take(1) == ["pong"])
    #expect(driver.venue.answersPings(of: ClientID(1)))
  }

  @Test func `a connection is cut after its last message and others are not`() {
    var driver = driver(FaultPlan(cutAfter: 1))
    driver.connect(2)
    driver.send("a", from: 1)
    driver.send("b", from: 1)
    driver.send("c", from: 2)
    #expect(driver.closed == [ClientID(1)])
    #expect(driver.take(1) == ["a"] && driver.take(2) == ["c"])
  }

  @Test func `upgrades are refused as often as planned`() {
    var venue = FaultyVenue(SimulatedEcho(), plan: FaultPlan(refusals: [401, 429, 503]))
    let request = VenueRequest(path: "")
    let now = Timestamp(milliseconds: 0)
    let answers = (0..<4).map { _ in venue.refusal(of: request, at: now) }
    #expect(answers.map(\.?.status) == [401, 429, 503, nil])
    #expect(answers[1]?.headers["retry-after"] == "1")
  }

  @Test func `faults occur about as often as configured, and equally for equal seeds`() {
    func counts(_ fault: FaultPlan.Fault, seed: UInt64) -> [String] {
      var driver = driver(
        FaultPlan(chances: [FaultPlan.Chance(fault, perMillion: 100_000)]), seed: seed)
      for index in 0..<2000 { driver.send("message \(index)", from: 1) }
      driver.run(milliseconds: 2000)
      return driver.take(1)
    }
    #expect((1700...1900).contains(counts(.drop, seed: 3).count))
    #expect((2100...2300).contains(counts(.duplicate, seed: 3).count))
    #expect(counts(.reorder, seed: 3).count == 2000)
    #expect(Set(counts(.reorder, seed: 3)).count == 2000)
    let corrupted = counts(.corrupt, seed: 3).enumerated().count { $1 != "message \($0)" }
    #expect((100...300).contains(corrupted))
    #expect(counts(.drop, seed: 3) == counts(.drop, seed: 3))
    #expect(counts(.drop, seed: 3) != counts(.drop, seed: 4))
  }

  @Test func `lost deltas make the client's book differ, the empty plan does not`() throws {
    let lost = Dictionary(uniqueKeysWithValues: (10..<30).map { ($0, FaultPlan.Fault.drop) })
    for plan in [FaultPlan.none, FaultPlan(faults: lost)] {
      let start = VenueDriver<SimulatedBitMEX>.start
      var driver = VenueDriver(
        FaultyVenue(SimulatedBitMEX(seed: 5, start: start), plan: plan, seed: 5))
      driver.connect(
        1,
        VenueRequest(
          path: "/realtime", query: [(name: "subscribe", value: "orderBookL2:SOLUSD")]))
      driver.run(milliseconds: 20_000)
      var client = NaiveBitMEXClient(generation: .modern)
      for text in driver.take(1) { try client.apply(Array(text.utf8)) }
      let book = try #require(driver.venue.venue.bookLevels("SOLUSD"))
      let isEqual = client.book.bids == book.bids && client.book.asks == book.asks
      #expect(isEqual == (plan == .none))
    }
  }

  @Test func `held messages are bounded`() {
    var driver = driver(FaultPlan(faults: [1: .delay(milliseconds: 60_000)]))
    for _ in 0...FaultyVenue<SimulatedEcho>.maximumHeldMessages { driver.send("x", from: 1) }
    #expect(driver.closed == [ClientID(1)])
  }
}

@Suite struct SimulatedVenuesTests {
  @Test func `every venue is served at its path and accepts faults while it runs`() throws {
    let start = VenueDriver<SimulatedBitMEX>.start
    var options = SimulatedVenues.Options()
    options.faults[.echo] = FaultPlan(refusals: [503])
    var venues = SimulatedVenues.make(seed: 1, start: start, options: options)
    #expect(Set(venues.all.keys) == Set(Venue.allCases))
    let paths: [Venue: String] = [
      .isin: "", .bux: "/subscriptions/me", .echo: "/", .exchange: "/",
    ]
    for venue in Venue.allCases {
      let request = VenueRequest(path: paths[venue] ?? venue.descriptor.simulatedPath)
      let refusal = venues.all[venue]?.refusal(of: request, at: start)
      #expect(refusal?.status == (venue == .echo ? 503 : nil))
      #expect(venues.all[venue] is any FaultInjecting)
    }
    #expect(venues.all[.exchange]?.nextEvent != nil)
  }
}
