// What `livetape venue check` finds at each simulated venue, in process and on a virtual clock.

import FeedConnections
import Logging
import MarketModel
import NIOCore
import NIOEmbedded
import SimulatorHost
import TestSupport
import Testing
import VenueCatalogue
import VenueSimulator

@Suite struct VenueCheckMatrixTests {
  static let venues = Venue.allCases.filter { !$0.descriptor.books.isEmpty }

  /// A fault, and when it begins.
  typealias Fault = (spec: String, after: Int)

  static let faults: [Fault] = [
    ("drop=2%", 5000), ("gap", 5000), ("duplicate=2%", 5000), ("reorder=20%", 5000),
    ("reorder@150", 0), ("delay=2s", 0), ("delay=300ms for 10s", 5000), ("truncate", 5000),
    ("corrupt=2%", 5000), ("checksum", 5000), ("stall for 3s", 5000), ("half-open", 5000),
    ("refuse=503", 0), ("refuse=451", 0), ("close", 5000), ("cut", 5000), ("clock=+90s", 0),
    ("clock=-90s for 10s", 5000), ("flood=500/s for 2s", 5000),
  ]

  /// Faults that no client can see, and why.
  static let unseen: [(venue: Venue, spec: String, reason: String)] = [
    (.kraken, "reorder@150", "a ticker is swapped with a book: channels have no common order"),
    (.okx, "reorder@150", "two channels' messages are swapped: they have no common order"),
    (.bybit, "reorder@150", "two topics' messages are swapped: they have no common order"),
    (.bybitLinear, "reorder@150", "two topics' messages are swapped: they have no common order"),
  ]

  /// The lines of a check of so many seconds.
  private func lines(
    _ venue: Venue, _ options: SimulatedVenues.Options = .init(), fault: Fault? = nil,
    seconds: Int = 60
  ) async throws -> [String] {
    let loop = NIOAsyncTestingEventLoop()
    let clock = HubClock {
      ClockReading(milliseconds: 1_790_000_000_000 + Int64(loop.now.uptimeNanoseconds) / 1_000_000)
    }
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let address = try #require(MarketChoice(.builtIn).addresses(of: [venue]).first)
    let market = BuiltInMarket(
      [address], seed: 7, options: options, clock: clock, on: loop, logger: logger)
    let book = try #require(venue.descriptor.books.first)
    let run = VenueCheckRun(
      InstrumentKey(venue, book.symbol), milliseconds: Int64(seconds) * 1000, clock: clock)
    var connection = address.connection(token: nil, seed: 7)
    run.examineMessages(of: &connection)
    let hub = FeedHub(
      venues: [connection], loop: loop, logger: logger, clock: clock,
      connector: market.connector)
    let spec = try FaultSpec(fault?.spec ?? "")
    if fault?.after == 0 {
      try await loop.executeInContext { try market.addFaults(spec, to: venue) }
    }
    run.start(hub)
    let candles = Task { await run.requestCandles(from: market, on: loop) }
    for step in 1...(seconds * 10) {
      if step * 100 == fault?.after {
        try await loop.executeInContext { try market.addFaults(spec, to: venue) }
      }
      await loop.advanceTime(by: .milliseconds(100))
    }
    await candles.value
    let lines = run.finish().map { "\($0)" }
    let ended = Task { await hub.shutdown() }
    for _ in 0..<30 { await loop.advanceTime(by: .milliseconds(100)) }
    await ended.value
    return lines
  }

  private func failures(_ lines: [String]) -> [String] { lines.filter { $0.hasPrefix("failed") } }

  @Test(arguments: venues)
  func `a good venue fails no check`(venue: Venue) async throws {
    #expect(failures(try await lines(venue, seconds: repetitions(30, all: 60))) == [])
  }

  /// Every pair of venue and fault; in `make test` a sixth of them, each fault at one venue.
  static let cells = venues.indices.flatMap { venue in
    faults.indices.filter { (venue + $0) % repetitions(6, all: 1) == 0 }
      .map { (venues[venue], faults[$0]) }
  }

  @Test(arguments: cells)
  func `each fault fails a check, but for those that cannot be seen`(
    venue: Venue, fault: Fault
  ) async throws {
    guard try FaultSpec(fault.spec).problem(at: venue) == nil else { return }
    let lines = try await lines(venue, fault: fault, seconds: 30)
    let isUnseen = Self.unseen.contains { $0.venue == venue && $0.spec == fault.spec }
    #expect(failures(lines).isEmpty == isUnseen, "\(lines.joined(separator: "\n"))")
  }

  /// What a venue may do, and a line that reports it.
  typealias Trap = (
    venue: Venue, line: String, set: @Sendable (inout SimulatedVenues.Options) -> Void
  )

  static let traps: [Trap] = [
    (.okx, "passed  snapshot in the stream", { _ in }),
    (.okx, "unknown snapshot in the stream", { $0.okx.sendsSnapshots = false }),
    (.okx, "passed  checksum key", { $0.okx.checksum = .live }),
    (.okx, "unknown checksum key", { $0.okx.checksum = .absent }),
    (.okx, "passed  book integrity", { $0.okx.resetMilliseconds = 10_000 }),
    (.bybit, "unknown restart of a book's numbers", { _ in }),
    (.bybit, "passed  restart of a book's numbers", { $0.bybit.restartMilliseconds = 10_000 }),
    (.bybit, "passed  second snapshot", { $0.bybit.snapshotsComeFirst = false }),
    (
      .bybitLinear, "passed  restart of a book's numbers", { $0.bybit.restartMilliseconds = 10_000 }
    ),
    (.binance, "failed  book: ", { $0.binance.oldSnapshots = 6 }),
    (.binance, "failed  messages: 2 unreadable", { $0.binance.limitedSnapshots = 2 }),
    (.binance, "failed  candles: ", { $0.binance.blockedStatus = 418 }),
    (.binance, "failed  candles: ", { $0.binance.blockedStatus = 451 }),
  ]

  @Test(arguments: traps.indices)
  func `what a venue may do is reported, and fails only where it does harm`(
    index: Int
  ) async throws {
    let trap = Self.traps[index]
    var options = SimulatedVenues.Options()
    trap.set(&options)
    let lines = try await lines(trap.venue, options, seconds: repetitions(40, all: 60))
    #expect(lines.contains { $0.hasPrefix(trap.line) }, "\(lines.joined(separator: "\n"))")
    // A book without a snapshot in the stream counts as fetched again.
    let harms = lines.contains { $0.hasPrefix("unknown snapshot in the stream") }
    #expect(
      failures(lines).isEmpty != (harms || trap.line.hasPrefix("failed")), "\(failures(lines))")
  }
}
