// LT2: losses on the way from a simulated BitMEX, in virtual time: how long a wrong book is shown
// as live, and that no loss is reported without one.

import MarketModel
import TestSupport
import Testing
import VenueProtocols

@testable import VenueSimulator

private struct BrokenBitMEX {
  private static let symbol = Symbol(known: "XBTUSD")

  private var driver: VenueDriver<FaultyVenue<SimulatedBitMEX>>
  private var session = BitMEXSession(origin: .simulated)
  private let start = VenueDriver<SimulatedBitMEX>.start
  private let client = 1
  private(set) var resyncs = 0
  private(set) var dissents = 0
  private(set) var reconnects = 0
  private(set) var tables: [String: Int] = [:]

  init(seed: UInt64) {
    driver = VenueDriver(FaultyVenue(SimulatedBitMEX(seed: seed, start: start), seed: seed))
    perform(
      session.handle(.wanted([.init(.book, Self.symbol), .init(.trades, Self.symbol)]), at: now))
    driver.connect(client, VenueRequest(path: "/realtime"))
    perform(session.handle(.opened, at: now))
    pump()
  }

  var milliseconds: Int64 { driver.now.milliseconds - start.milliseconds }

  private var now: ClockReading {
    ClockReading(
      monotonic: MonotonicTime(nanoseconds: driver.now.nanoseconds - start.nanoseconds),
      wall: driver.now)
  }

  mutating func inject(_ text: String) throws {
    try driver.inject(text)
    driver.run(milliseconds: 0)
  }

  mutating func step() {
    driver.run(milliseconds: 50)
    pump()
    if milliseconds % 250 == 0 { perform(session.handle(.timer, at: now)) }
    pump()
  }

  private mutating func pump() {
    while true {
      let arrived = driver.takeBytes(client)
      if arrived.isEmpty { return }
      for bytes in arrived {
        count(bytes)
        perform(session.receive(bytes.span, kind: .text, at: now))
      }
    }
  }

  private mutating func count(_ bytes: [UInt8]) {
    let text = String(decoding: bytes.prefix(48), as: UTF8.self)
    guard !text.contains("partial"),
      let table = text.split(separator: "\"").dropFirst(3).first
    else { return }
    tables[String(table), default: 0] += bytes.count
  }

  private mutating func perform(_ effects: [SessionEffect]) {
    for effect in effects {
      switch effect {
      case .send(let message):
        driver.send(String(decoding: message.bytes, as: UTF8.self), from: client)
      case .resynced: resyncs += 1
      case .dissented: dissents += 1
      case .reconnect: reconnects += 1
      default: break
      }
    }
  }

  var book: BookView? {
    guard case .book(let view)? = session.value(for: .init(.book, Self.symbol), at: now) else {
      return nil
    }
    return view
  }

  var isLive: Bool { book?.freshness.state == .live }

  var isRight: Bool {
    guard let book,
      let truth = driver.venue.venue.markets.first(where: { $0.instrument.symbol == "XBTUSD" })
    else { return false }
    let sides = [
      (book.bids, truth.bids.top(BookView.depth)), (book.asks, truth.asks.top(BookView.depth)),
    ]
    return sides.allSatisfy { rows, levels in
      rows.count == BookView.depth
        && zip(rows, levels).allSatisfy { row, level in
          FixedDecimal(row.price, scale: book.priceScale) == truth.instrument.price(level.ticks)
            && row.size.units == level.size
        }
    }
  }
}

@Suite struct BitMEXAuditLoopTests {
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `without losses nothing is refetched, and no stream mismatches`(seed: UInt64) {
    var venue = BrokenBitMEX(seed: seed)
    var isCompared = false
    while venue.milliseconds < 40_000 {
      venue.step()
      isCompared = isCompared || (venue.book?.witnesses?.witnesses.count ?? 0) == 4
      if !venue.isRight { Issue.record("seed \(seed): wrong at \(venue.milliseconds)") }
    }
    #expect(isCompared, "seed \(seed)")
    #expect(venue.resyncs == 0 && venue.dissents == 0 && venue.reconnects == 0, "seed \(seed)")
  }

  /// A lost message is found within 3.5 s of the moment from which a shown row is wrong: the
  /// tolerance of 1.5 s, the time until the level is at rest, and a check every 50 ms.
  @Test(arguments: Array(UInt64(1)...UInt64(repetitions(4, all: 12))))
  func `a lost message makes no row wrong for long`(seed: UInt64) throws {
    var venue = BrokenBitMEX(seed: seed)
    while venue.milliseconds < 5000 { venue.step() }
    #expect(venue.isLive && venue.isRight, "seed \(seed)")
    var (lie, longest) = (Int64(0), Int64(0))
    for round in 0..<4 {
      // Different kinds of messages.
      let end = venue.milliseconds + 9000 + Int64(seed) * 130 + Int64(round) * 70
      try venue.inject("drop")
      while venue.milliseconds < end {
        venue.step()
        lie = venue.isLive && !venue.isRight ? lie + 50 : 0
        longest = max(longest, lie)
      }
    }
    #expect(longest <= 3500, "seed \(seed): \(longest) ms")
    #expect(venue.isRight && venue.reconnects == 0, "seed \(seed)")
  }

  @Test func `the best 25 levels cost less than the book`() {
    var venue = BrokenBitMEX(seed: 5)
    while venue.milliseconds < 60_000 { venue.step() }
    let (book, best) = (venue.tables["orderBookL2"] ?? 0, venue.tables["orderBookL2_25"] ?? 0)
    #expect(best > 0 && best < book, "\(venue.tables)")
  }
}
