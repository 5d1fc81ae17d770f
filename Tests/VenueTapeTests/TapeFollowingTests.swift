// One reader, several servers: they show the same data, and faults in between are reported.

import FeedConnections
import MarketModel
import MarketStreams
import MessageBus
import TestSupport
import Testing
import VenueCatalogue
import VenueSimulator

@testable import MarketSimulation
@testable import VenueTape

@Suite struct TapeFollowingTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func `servers show what the reader shows, also those that come later`(seed: UInt64) throws {
    let stage = TapeStage(seed: seed, venues: [.kraken, .bitmex], readers: 1, followers: 1)
    defer { stage.end() }
    stage.want(.bitcoin, .bitcoinTrades, .bitcoinFigures, .contract, .contractTrades, of: 0)
    stage.run(milliseconds: 4000 + Int64(seed) * 700)
    stage.addFollower()
    stage.want(.bitcoin, .bitcoinTrades, .bitcoinFigures, .contract, .contractTrades, of: 1)
    let joined = stage.wait(atMost: 3000) {
      stage.isLive(.bitcoin, 1) && stage.isLive(.contract, 1)
    }
    #expect(joined != nil, "seed \(seed)")
    let reader = stage.readers[0].reader.hub
    // Until nothing is in flight between them: a turn of the loop.
    stage.run(milliseconds: 1)
    for key in [MarketKey.bitcoin, .contract] {
      let original = try #require(stage.book(key, of: reader))
      for follower in stage.followers {
        let copy = try #require(stage.book(key, of: follower.hub))
        #expect(copy.bids == original.bids, "seed \(seed), \(key)")
        #expect(copy.asks == original.asks, "seed \(seed), \(key)")
        #expect(copy.bidLevels == original.bidLevels, "seed \(seed), \(key)")
        #expect(copy.priceDecimals == original.priceDecimals, "seed \(seed), \(key)")
        #expect(copy.tick == original.tick, "seed \(seed), \(key)")
        #expect(copy.proof?.checksum == original.proof?.checksum, "seed \(seed), \(key)")
        #expect(copy.freshness.origin == .simulated, "seed \(seed), \(key)")
      }
    }
    let trades = try #require(stage.tape(.bitcoinTrades, of: reader))
    for follower in stage.followers {
      let copy = try #require(stage.tape(.bitcoinTrades, of: follower.hub))
      #expect(copy.trades.map(\.identifier) == trades.trades.map(\.identifier), "seed \(seed)")
      #expect(copy.trades.map(\.price) == trades.trades.map(\.price), "seed \(seed)")
      #expect(copy.trades.map(\.time) == trades.trades.map(\.time), "seed \(seed)")
    }
    guard case .figures(let figures) = reader.value(of: .bitcoinFigures),
      case .figures(let copy) = stage.followers[1].hub.value(of: .bitcoinFigures)
    else { return #expect(Bool(false), "no figures") }
    #expect(copy.last == figures.last && copy.volume == figures.volume, "seed \(seed)")
    #expect(stage.upstream == 2, "one connection for each venue")
  }

  @Test func `a venue receives the union of all servers' subscriptions, and nothing else`() {
    let stage = TapeStage(seed: 3, venues: [.kraken], readers: 1, followers: 2)
    defer { stage.end() }
    stage.want(.bitcoin, of: 0)
    stage.want(.ether, of: 1)
    let both = stage.wait(atMost: 6000) { stage.isLive(.bitcoin, 0) && stage.isLive(.ether, 1) }
    #expect(both != nil)
    #expect(!stage.isLive(.ether, 0), "what a server does not want it does not show")
    stage.want(.bitcoin, of: 1)
    let second = stage.wait(atMost: 2000) { stage.isLive(.bitcoin, 1) }
    #expect(second != nil, "it had been read for the other one only")
    stage.wantNothing()
    #expect(stage.streams(of: 0).contains { $0.hasPrefix("book") })
    let emptied = stage.wait(atMost: 20_000) {
      !stage.streams(of: 0).contains { $0.hasPrefix("book") }
    }
    #expect(emptied != nil)
  }

  @Test func `every server shows a lost connection with the reader's reason, and recovers`() {
    let stage = TapeStage(seed: 4, venues: [.kraken], readers: 1, followers: 2)
    defer { stage.end() }
    for follower in 0..<2 { stage.want(.bitcoin, of: follower) }
    #expect(stage.wait(atMost: 6000) { (0..<2).allSatisfy { stage.isLive(.bitcoin, $0) } } != nil)
    stage.wires[0].set(.refusing, milliseconds: 4000)
    stage.wires[0].cut()
    let said = stage.wait(atMost: 1000) { !(0..<2).contains { stage.isLive(.bitcoin, $0) } }
    #expect(said != nil)
    stage.run(milliseconds: 2000)
    for follower in 0..<2 {
      #expect(stage.reason(of: .kraken, follower)?.description.contains("Kraken") == true)
    }
    let back = stage.wait(atMost: 15_000) { (0..<2).allSatisfy { stage.isLive(.bitcoin, $0) } }
    #expect(back != nil)
  }

  @Test func `every server shows that the venue rejects the reader's location, and only then`() {
    let stage = TapeStage(seed: 4, venues: [.kraken], readers: 1, followers: 2)
    defer { stage.end() }
    stage.wires[0].site.inject([FaultOrder(.refuse(status: 451, count: 1))])
    for follower in 0..<2 { stage.want(.bitcoin, of: follower) }
    let rejects = { (0..<2).allSatisfy { stage.rejectsLocation(.kraken, $0) } }
    #expect(stage.wait(atMost: 15_000, until: rejects) != nil)
    for _ in 0..<100 {
      stage.run(milliseconds: 100)
      #expect(rejects(), "also between attempts to join the reader")
    }
    #expect(stage.reason(of: .kraken, 0)?.description.contains("rejects this location") == true)
    let back = stage.wait(atMost: 360_000) { (0..<2).allSatisfy { stage.isLive(.bitcoin, $0) } }
    #expect(back != nil && !(0..<2).contains { stage.rejectsLocation(.kraken, $0) })
  }

  @Test(arguments: [Venue.kraken, .bitmex])
  func `what is long on its way to the reader is live on no server`(venue: Venue) {
    let book = venue == .kraken ? MarketKey.bitcoin : .contract
    let stage = TapeStage(seed: 6, venues: [venue], readers: 1, followers: 2)
    defer { stage.end() }
    for follower in 0..<2 { stage.want(book, of: follower) }
    let both = { (0..<2).allSatisfy { stage.isLive(book, $0) } }
    let one = { (0..<2).contains { stage.isLive(book, $0) } }
    #expect(stage.wait(atMost: 6000, until: both) != nil)
    stage.run(milliseconds: 3000)
    stage.wires[0].site.inject([FaultOrder(.delay(milliseconds: 3000), milliseconds: 20_000)])
    // A second after the first delayed messages their age is detected.
    stage.run(milliseconds: 4300)
    var wasLive = false
    for _ in 0..<100 {
      stage.run(milliseconds: 100)
      wasLive = wasLive || one()
    }
    #expect(!wasLive, "messages come, each three seconds old")
    #expect(stage.wait(atMost: 30_000, until: both) != nil)
  }

  @Test(arguments: [Venue.kraken, .bitmex])
  func `a connection that answers nothing is late on every server within three and a half seconds`(
    venue: Venue
  ) throws {
    let book = venue == .kraken ? MarketKey.bitcoin : .contract
    let stage = TapeStage(seed: 7, venues: [venue], readers: 1, followers: 2)
    defer { stage.end() }
    for follower in 0..<2 { stage.want(book, of: follower) }
    let live = stage.wait(atMost: 6000) { (0..<2).allSatisfy { stage.isLive(book, $0) } }
    #expect(live != nil)
    stage.run(milliseconds: 3000)
    stage.wires[0].site.inject([FaultOrder(.halfOpen(after: 0), milliseconds: 8000)])
    let late = stage.wait(atMost: 6000) { !(0..<2).contains { stage.isLive(book, $0) } }
    // Two seconds of tolerance, a second between pings, a quarter to the next check and pulse each.
    #expect(try #require(late) <= 3500, "\(venue): after \(late ?? -1) ms")
  }

  @Test func `a reader without the lease opens no connection, whatever its hub is to follow`() {
    let stage = TapeStage(seed: 5, venues: [.kraken], readers: 2, followers: 1)
    defer { stage.end() }
    stage.want(.bitcoin, of: 0)
    #expect(stage.wait(atMost: 6000) { stage.isLive(.bitcoin, 0) } != nil)
    let standby = stage.readers.indices.first { $0 != stage.leader } ?? 0
    // Like a reader that wakes after the other has taken over, before it checks its lease.
    stage.readers[standby].reader.hub.start(.kraken)
    var most = 0
    for _ in 0..<100 {
      stage.run(milliseconds: 20)
      most = max(most, stage.upstream)
    }
    #expect(most == 1)
    #expect(stage.isLive(.bitcoin, 0))
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `another reader takes over, with one connection at a time but for the hand-over`(
    seed: UInt64
  ) throws {
    let stage = TapeStage(seed: seed, venues: [.kraken], readers: 2, followers: 3)
    defer { stage.end() }
    for follower in 0..<3 { stage.want(.bitcoin, of: follower) }
    let first = stage.wait(atMost: 6000) { (0..<3).allSatisfy { stage.isLive(.bitcoin, $0) } }
    #expect(first != nil, "seed \(seed)")
    #expect(stage.upstream == 1)
    stage.run(milliseconds: 1000 + Int64(seed) * 137)
    let leader = try #require(stage.leader)
    // It still receives the venue's data; its own is not received.
    stage.readers[leader].bus.cutLink("partition")
    let said = stage.wait(atMost: 1200) { !(0..<3).contains { stage.isLive(.bitcoin, $0) } }
    #expect(try #require(said) <= 1000, "seed \(seed): said after \(said ?? -1) ms")
    #expect(stage.reason(of: .kraken, 0) == "The reader of Kraken is silent.")
    var most = 0
    let back = stage.wait(atMost: 6000) {
      most = max(most, stage.upstream)
      return (0..<3).allSatisfy { stage.isLive(.bitcoin, $0) }
    }
    #expect(try #require(back) <= 5000, "seed \(seed): live again after \(back ?? -1) ms")
    #expect(most <= 1, "seed \(seed): \(most) connections at a time")
    // The old one is connected again: it does not hold the lease, and sends nothing.
    stage.readers[leader].bus.healLink()
    stage.run(milliseconds: 3000)
    #expect(stage.upstream == 1, "seed \(seed)")
    #expect(try #require(stage.leader) != leader)
    #expect((0..<3).allSatisfy { stage.isLive(.bitcoin, $0) }, "seed \(seed)")
  }

  @Test func `a server that is cut off from the bus shows it at once, and rejoins`() {
    let stage = TapeStage(seed: 6, venues: [.kraken], readers: 1, followers: 2)
    defer { stage.end() }
    for follower in 0..<2 { stage.want(.bitcoin, of: follower) }
    #expect(stage.wait(atMost: 6000) { (0..<2).allSatisfy { stage.isLive(.bitcoin, $0) } } != nil)
    stage.followers[1].bus.cutLink("pulled out")
    #expect(stage.wait(atMost: 100) { !stage.isLive(.bitcoin, 1) } != nil)
    #expect(stage.isLive(.bitcoin, 0))
    stage.run(milliseconds: 3000)
    stage.followers[1].bus.healLink()
    let back = stage.wait(atMost: 5000) { stage.isLive(.bitcoin, 1) }
    #expect(back != nil)
  }

  @Test func `a server that lost the bus again and again, or for long, joins as soon as it can`()
    throws
  {
    let stage = TapeStage(seed: 9, venues: [.kraken], readers: 1, followers: 1)
    defer { stage.end() }
    stage.want(.bitcoin, of: 0)
    #expect(stage.wait(atMost: 6000) { stage.isLive(.bitcoin, 0) } != nil)
    for pause in [500, 500, 500, 60_000] as [Int64] {
      stage.followers[0].bus.cutLink("pulled out")
      stage.run(milliseconds: pause)
      stage.followers[0].bus.healLink()
      let back = stage.wait(atMost: 30_000) { stage.isLive(.bitcoin, 0) }
      #expect(try #require(back) <= 1500, "live again after \(back ?? -1) ms")
    }
  }

  @Test(
    arguments: repetitions([-3_600_000_000_000], all: [0, 5_000_000_000, -3_600_000_000_000])
      as [Int64])
  func `the ladder begins at the reader's socket, whatever the clock of its machine`(
    ahead: Int64
  ) throws {
    let stage = TapeStage(
      seed: 8, venues: [.kraken, .bitmex], readers: 2, followers: 1, readersAhead: ahead)
    defer { stage.end() }
    stage.watch(.bitcoin, of: 0)
    stage.watch(.contract, of: 0)
    stage.run(milliseconds: 20_000)
    func check(_ venue: Venue, least: Int) throws {
      let report = try #require(stage.latency(of: venue, 0))
      let figures = report.figures.filter { $0.span == .sinceStart }
      #expect(figures.map(\.rung) == [.socket, .reader, .bus, .decoded, .state], "\(venue)")
      #expect(figures.allSatisfy { $0.count >= least }, "\(venue)")
      // The simulation's network takes some milliseconds, the bus in memory none.
      let (socket, bus) = (try #require(figures.first), figures[2])
      #expect(socket.max < 1_000_000_000, "\(venue): \(socket.max)")
      #expect(bus.within.map { bus.max <= $0 && $0 < 1_000_000 } == true, "\(venue)")
      let reader = try #require(report.readerClock)
      #expect((reader.offset - ahead).magnitude <= UInt64(reader.within), "\(venue)")
    }
    try check(.kraken, least: 20)
    try check(.bitmex, least: 20)
    let kraken = try #require(stage.latency(of: .kraken, 0)?.clock)
    #expect(kraken.method == .pings)
    #expect((kraken.offset + ahead).magnitude <= UInt64(kraken.within))
    // Another reader takes over: later messages are measured by its clock.
    let leader = try #require(stage.leader)
    stage.readers[leader].bus.cutLink("partition")
    stage.run(milliseconds: 20_000)
    try check(.kraken, least: 40)
  }

  @Test func `the exchange's ticks go over the bus line by line`() throws {
    let stage = TapeStage(seed: 7, venues: [.exchange], readers: 1, followers: 1)
    defer { stage.end() }
    let key = MarketKey(.exchange, .quote, ExchangeCatalogue.symbol)
    stage.want(key, of: 0)
    let first = stage.wait(atMost: 8000) {
      stage.quote(key, of: stage.followers[0].hub)?.freshness.state == .live
    }
    #expect(first != nil)
    stage.run(milliseconds: 3500)
    let original = try #require(stage.quote(key, of: stage.readers[0].reader.hub))
    let copy = try #require(stage.quote(key, of: stage.followers[0].hub))
    #expect(copy.price == original.price && copy.bid == original.bid)
    #expect(stage.rejected(of: .exchange, 0) == 0, "a line is never cut")
  }
}
