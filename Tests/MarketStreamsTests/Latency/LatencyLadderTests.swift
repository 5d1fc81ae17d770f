// One venue's ladder: pings by number, figures by rung and span.

import MarketModel
import Testing

@testable import MarketStreams

@Suite struct LatencyLadderTests {
  private let start: Int64 = 1_790_000_000_000

  private func monotonic(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(milliseconds: milliseconds)
  }

  private func wall(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: start + milliseconds)
  }

  private func ask(_ ladder: inout LatencyLadder, at milliseconds: Int64) throws -> Int64 {
    let number = ladder.ping(at: monotonic(milliseconds))
    return try #require(number)
  }

  @Test func `responses are matched by their numbers, and each counts once`() throws {
    var ladder = LatencyLadder(venue: .kraken, pings: .timed, resolution: 1000)
    let old = try ask(&ladder, at: 0)
    let early = ladder.ping(at: monotonic(500))
    #expect(early == nil)
    let new = try ask(&ladder, at: 1000)
    #expect(new != old)
    func clock() -> ClockEstimate? {
      ladder.report(at: ClockReading(monotonic: monotonic(2000), wall: wall(2000))).clock
    }
    let slow = ladder.pong(old, got: wall(5), answered: wall(5), received: monotonic(1010))
    #expect(slow == 1_010_000_000)
    #expect(try #require(clock()).within > 500_000_000, "one that took long says little")
    let prompt = ladder.pong(new, got: wall(1005), answered: wall(1005), received: monotonic(1010))
    #expect(prompt == 10_000_000)
    let first = try #require(clock())
    #expect(first.offset == 0 && first.within < 6_000_000)
    for number in [old, new, new + 1, 0] {
      let trip = ladder.pong(
        number, got: wall(9005), answered: wall(9005), received: monotonic(1011))
      #expect(trip == nil)
    }
    #expect(clock() == first)
  }

  @Test func `an answer to a later ping is one to those before it, too`() throws {
    var ladder = LatencyLadder(venue: .kraken, pings: .timed, resolution: 1000)
    let lost = try ask(&ladder, at: 0)
    let heard = try ask(&ladder, at: 1000)
    ladder.pong(heard, got: wall(1005), answered: wall(1005), received: monotonic(1010))
    let late = ladder.pong(lost, got: wall(5), answered: wall(5), received: monotonic(1011))
    #expect(late == nil)
    let delay = ladder.delay(at: monotonic(9000))
    #expect(delay == nil)
  }

  @Test func `answers that take two seconds are a delay, until one takes less than one and a half`()
    throws
  {
    var ladder = LatencyLadder(venue: .kraken, pings: .timed, resolution: 1000)
    var now: Int64 = 0
    for (trip, isDelay) in [
      (1999, false), (2000, true), (1500, true), (1499, false), (1999, false), (30_000, true),
      (10, false),
    ] as [(Int64, Bool)] {
      now += 20_000
      let number = try ask(&ladder, at: now)
      now += trip
      ladder.pong(number, got: wall(now), answered: wall(now), received: monotonic(now))
      let delay = ladder.delay(at: monotonic(now))
      #expect(delay == (isDelay ? trip : nil))
    }
  }

  @Test func `an answer that does not come is a delay from the second second on`() throws {
    var ladder = LatencyLadder(venue: .kraken, pings: .timed, resolution: 1000)
    _ = try ask(&ladder, at: 0)
    let unknown = ladder.delay(at: monotonic(5000))
    #expect(unknown == nil, "a venue that has answered none is not judged by its answers")
    let first = try ask(&ladder, at: 6000)
    ladder.pong(first, got: wall(6001), answered: wall(6001), received: monotonic(6002))
    let second = try ask(&ladder, at: 16_000)
    let delays = [17_999, 18_000, 18_250].map { ladder.delay(at: monotonic($0)) }
    #expect(delays == [nil, 2000, 2250])
    let last = ladder.ping(at: monotonic(18_300))
    ladder.pong(second, got: wall(16_001), answered: wall(16_001), received: monotonic(19_000))
    let slow = ladder.delay(at: monotonic(19_000))
    #expect(slow == 3000)
    let end = try #require(last)
    ladder.pong(end, got: wall(19_001), answered: wall(19_001), received: monotonic(19_002))
    let prompt = ladder.delay(at: monotonic(19_002))
    #expect(prompt == nil)
  }

  @Test func `without a pong for a minute, or a link, a venue is not judged by pongs`() throws {
    var ladder = LatencyLadder(venue: .kraken, pings: .timed, resolution: 1000)
    let first = try ask(&ladder, at: 0)
    ladder.pong(first, got: wall(1), answered: wall(1), received: monotonic(2))
    for second in Int64(10)...70 { _ = ladder.ping(at: monotonic(second * 1000)) }
    let minute = ladder.delay(at: monotonic(70_000))
    #expect(minute == 60_000)
    for second in Int64(71)..<200 { _ = ladder.ping(at: monotonic(second * 1000)) }
    let deaf = ladder.delay(at: monotonic(199_500))
    #expect(deaf == nil)
    let second = try ask(&ladder, at: 210_000)
    ladder.pong(second, got: wall(210_001), answered: wall(210_001), received: monotonic(210_002))
    _ = try ask(&ladder, at: 220_002)
    let slow = ladder.delay(at: monotonic(230_000))
    #expect(slow != nil)
    ladder.disconnected()
    let gone = ladder.delay(at: monotonic(230_001))
    #expect(gone == nil)
  }

  @Test func `pongs without a time still give the round trip`() throws {
    var ladder = LatencyLadder(venue: .bitmex, pings: .frames, resolution: 1000)
    let first = try ask(&ladder, at: 0)
    let second = try ask(&ladder, at: 1000)
    let trip = ladder.pong(first, received: monotonic(2100))
    #expect(trip == 2_100_000_000)
    let again = ladder.pong(first, received: monotonic(2101))
    #expect(again == nil)
    let slow = ladder.delay(at: monotonic(2100))
    #expect(slow == 2100)
    ladder.pong(second, received: monotonic(2110))
    let prompt = ladder.delay(at: monotonic(2110))
    #expect(prompt == nil)
    #expect(ladder.clock(at: ClockReading(milliseconds: 2110)) == nil)
  }

  @Test func `a message of a delayed venue shows the delay`() throws {
    var ladder = LatencyLadder(venue: .kraken, pings: .timed, resolution: 1000)
    let number = try ask(&ladder, at: 0)
    ladder.pong(number, got: wall(1), answered: wall(1), received: monotonic(2))
    for index in 0..<100 {
      let delay: Int64 = index < 50 ? 1 : 301
      ladder.arrived(wall(100 + Int64(index)), at: monotonic(100 + Int64(index) + delay))
    }
    let report = ladder.report(at: ClockReading(monotonic: monotonic(600), wall: wall(600)))
    let figures = try #require(report.figures.first)
    #expect(figures.rung == .socket && figures.span == .lastMinute && figures.count == 100)
    #expect(figures.p50 < 2_000_000 && figures.latest == 301_000_000)
    #expect((301_000_000...311_000_000).contains(figures.p99) && figures.max == 301_000_000)
    #expect(try #require(figures.within) < 2_000_000)
  }

  /// A message that a reader, a second ahead, read at `read` of our time and held for 2 ms.
  private func relayed(_ read: Int64, epoch: UInt64 = 5, venueAhead: Int64? = -700)
    -> RelayedMessage
  {
    RelayedMessage(
      epoch: epoch, read: wall(read + 1000), held: 2_000_000,
      venueClock: venueAhead.map {
        ClockEstimate(
          offset: $0 * 1_000_000, within: 400_000, method: .pings, steps: 1,
          drift: ClockEstimate.Drift(perBillion: 30, within: 4))
      })
  }

  /// Measures the reader's clock, with 1 ms there and 1 ms back.
  private func asked(_ ladder: inout LatencyLadder, at sent: Int64, epoch: UInt64 = 5) {
    ladder.take(
      ReaderTime(
        epoch: epoch, sent: monotonic(sent), got: wall(sent + 1001), answered: wall(sent + 1001),
        received: monotonic(sent + 2)))
  }

  private func figures(_ ladder: LatencyLadder) -> [LatencyRung: LatencyFigures] {
    let report = ladder.report(at: ClockReading(monotonic: monotonic(600), wall: wall(600)))
    return Dictionary(
      report.figures.filter { $0.span == .sinceStart }.map { ($0.rung, $0) }
    ) { first, _ in first }
  }

  @Test func `behind a bus the first rung is of the reader, by its clocks, and two more follow`()
    throws
  {
    var ladder = LatencyLadder(venue: .kraken, pings: .timed, resolution: 1000)
    asked(&ladder, at: 0)
    // The venue, 300 ms ahead, sent it at 80 of our time; the reader had it at 100.
    ladder.relayed(relayed(100), dated: wall(380), at: monotonic(107))
    let figures = figures(ladder)
    #expect(Set(figures.keys) == [.socket, .reader, .bus])
    let (socket, bus) = (try #require(figures[.socket]), try #require(figures[.bus]))
    #expect(socket.latest == 20_000_000 && socket.within == 401_000)
    #expect(figures[.reader]?.latest == 2_000_000 && figures[.reader]?.within == nil)
    #expect(bus.latest == 5_000_000)
    // Half of the round trip, the drift of 100 ms, and the microsecond of the reader's times.
    #expect(try #require(bus.within) == 1_000_000 + 1001 + 10_500)
    let report = ladder.report(at: ClockReading(monotonic: monotonic(600), wall: wall(600)))
    #expect(report.readerClock?.offset == 1_000_000_000)
    #expect(report.clock?.offset == -700_000_000 && report.clock?.drift?.perBillion == 30)
    #expect(report.clock?.steps == 1 && report.readerClock?.method == .pings)
  }

  @Test func `without the reader's clock the bus is not measured, without the venue's not its way`()
  {
    var ladder = LatencyLadder(venue: .kraken, pings: .timed, resolution: 1000)
    ladder.relayed(relayed(100, venueAhead: nil), dated: wall(380), at: monotonic(107))
    #expect(Set(figures(ladder).keys) == [.reader])
    #expect(ladder.clock(at: ClockReading(monotonic: monotonic(600), wall: wall(600))) == nil)
  }

  @Test func `another reader has another clock`() {
    var ladder = LatencyLadder(venue: .kraken, pings: .timed, resolution: 1000)
    asked(&ladder, at: 0)
    ladder.relayed(relayed(100), dated: nil, at: monotonic(107))
    ladder.relayed(relayed(200, epoch: 6), dated: nil, at: monotonic(230))
    #expect(figures(ladder)[.bus]?.count == 1)
    asked(&ladder, at: 300, epoch: 6)
    ladder.relayed(relayed(310, epoch: 6), dated: nil, at: monotonic(313))
    #expect(figures(ladder)[.bus]?.count == 2 && figures(ladder)[.reader]?.count == 3)
  }

  @Test
  func `a pong without a time is measured against the fastest one, by the reader's clock`() {
    var ladder = LatencyLadder(venue: .bitmex, pings: .none, resolution: 0)
    asked(&ladder, at: 0)
    // Twice 5 ms to the reader, then 9; the bus's delay is irrelevant.
    for (said, read, came) in [(100, 105, 110), (200, 205, 290), (300, 309, 312)]
      as [(Int64, Int64, Int64)]
    {
      ladder.relayed(relayed(read, venueAhead: nil), dated: wall(said), at: monotonic(came))
    }
    let socket = figures(ladder)[.socket]
    #expect(socket?.count == 3 && socket?.max == 4_000_000 && socket?.within == 21_400)
    #expect(figures(ladder)[.bus]?.max == 83_000_000)
  }

  @Test func `impossible values are not measured, those within the uncertainty are zero`() {
    var ladder = LatencyLadder(venue: .isin, pings: .none, resolution: 0)
    ladder.record(.received, -400, within: 500, at: monotonic(1))
    ladder.record(.received, -600, within: 500, at: monotonic(1))
    ladder.record(.sent, -1, at: monotonic(1))
    ladder.record(.sent, LatencyLadder.maximumNanoseconds + 1, at: monotonic(1))
    let report = ladder.report(at: ClockReading(milliseconds: 2))
    #expect(report.clock == nil)
    #expect(report.figures.map(\.rung) == [.received, .received])
    #expect(report.figures.allSatisfy { $0.count == 1 && $0.max == 0 && $0.within == 500 })
  }
}
