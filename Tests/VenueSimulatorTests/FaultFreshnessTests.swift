// Every fault on demand against a real session, in virtual time: how soon the book shows it, that
// it recovers by itself, and that no wrong book is shown as live meanwhile.

import MarketModel
import TestSupport
import Testing
import VenueProtocols

@testable import VenueSimulator

/// A session on a Kraken with injected faults, with a client that reconnects after half a second.
private struct BrokenKraken {
  private var driver: VenueDriver<FaultyVenue<SimulatedKraken>>
  private var session = KrakenSession(origin: .simulated)
  private var client = 0
  private var connectAt: Int64?
  private(set) var resyncs = 0
  private let start: Timestamp

  init(seed: UInt64) {
    let start = VenueDriver<SimulatedKraken>.start
    let venue = SimulatedKraken(seed: seed, start: start, listsAll: false)
    driver = VenueDriver(FaultyVenue(venue, seed: seed))
    self.start = start
    perform(session.handle(.wanted([Subscription(.book, KrakenLoop.bitcoin)]), at: now))
    connect()
  }

  var milliseconds: Int64 { driver.now.milliseconds - start.milliseconds }

  private var now: ClockReading {
    let elapsed = driver.now.nanoseconds - start.nanoseconds
    return ClockReading(monotonic: MonotonicTime(nanoseconds: elapsed), wall: driver.now)
  }

  mutating func inject(_ text: String) throws {
    try driver.inject(text)
    driver.run(milliseconds: 0)
  }

  mutating func step() {
    driver.run(milliseconds: 50)
    if driver.closed.contains(ClientID(client)), connectAt == nil {
      perform(session.handle(.closed, at: now))
      connectAt = milliseconds + 500
    }
    if let due = connectAt, milliseconds >= due { connect() }
    pump()
    if milliseconds % 250 == 0 { perform(session.handle(.timer, at: now)) }
    pump()
  }

  private mutating func connect() {
    let request = VenueRequest(path: "/v2")
    guard driver.venue.refusal(of: request, at: driver.now) == nil else {
      connectAt = milliseconds + 500
      return
    }
    connectAt = nil
    client += 1
    driver.connect(client, request)
    perform(session.handle(.opened, at: now))
    pump()
  }

  private mutating func pump() {
    while connectAt == nil {
      let arrived = driver.takeBytes(client)
      if arrived.isEmpty { return }
      for bytes in arrived { perform(session.receive(bytes.span, kind: .text, at: now)) }
    }
  }

  private mutating func perform(_ effects: [SessionEffect]) {
    for effect in effects {
      switch effect {
      case .send(let message) where client > 0 && connectAt == nil:
        driver.send(String(decoding: message.bytes, as: UTF8.self), from: client)
      case .resynced: resyncs += 1
      default: break
      }
    }
  }

  private var book: BookView? {
    let value = session.value(for: Subscription(.book, KrakenLoop.bitcoin), at: now)
    guard case .book(let view)? = value else { return nil }
    return view
  }

  var isLive: Bool { book?.freshness.state == .live && connectAt == nil }

  /// Whether the ten best rows of each side, which the checksum covers, are the venue's.
  var isRight: Bool {
    guard let book,
      let truth = driver.venue.venue.bookLevels(KrakenLoop.bitcoin.text, depth: BookView.depth)
    else { return false }
    let shown = KrakenLoop.table(book)
    let rows = (truth.bids + truth.asks).map { "\($0.price)×\($0.quantity)" }
    guard shown.count == 40, rows.count == 40 else { return false }
    return shown[..<10] == rows[..<10] && shown[20..<30] == rows[20..<30]
  }
}

/// The longest silence of a live book, plus one check.
private let silence: Int64 = 3550

@Suite struct FaultFreshnessTests {
  /// A fault's effects, in milliseconds since it was requested.
  private struct Course {
    var saidAfter: Int64?
    var longestLie: Int64 = 0
    var isRightInTheEnd = false
  }

  private func course(of text: String, seed: UInt64) throws -> Course {
    var kraken = BrokenKraken(seed: seed)
    while kraken.milliseconds < 10_000 { kraken.step() }
    guard kraken.isLive, kraken.isRight else { return Course() }
    try kraken.inject(text)
    let (begin, resyncs) = (kraken.milliseconds, kraken.resyncs)
    var course = Course()
    var lie: Int64 = 0
    while kraken.milliseconds < begin + 30_000 {
      kraken.step()
      let isSaid = !kraken.isLive || kraken.resyncs > resyncs
      if isSaid, course.saidAfter == nil { course.saidAfter = kraken.milliseconds - begin }
      lie = kraken.isLive && !kraken.isRight ? lie + 50 : 0
      course.longestLie = max(course.longestLie, lie)
    }
    course.isRightInTheEnd = kraken.isLive && kraken.isRight
    return course
  }

  /// The bounds of each fault.
  ///
  /// When the book shows it (as late, doubtful or disconnected, or by a resync, which takes no time
  /// here), nil where it need not; and how long a book that differs from the venue's may be live.
  /// Silence is late by the book's rhythm, after 3.5 s at the latest.
  @Test(
    arguments: [
      ("cut", 100, 0), ("close=1012", 100, 0), ("cut, refuse=503 for 3s", 100, 0),
      ("checksum", 1000, 0), ("gap=20", silence, silence), ("drop=100% for 4s", silence, silence),
      ("stall for 4s", silence, silence), ("half-open for 4s", silence, silence),
      ("corrupt=100% for 3s", 1000, 1000), ("truncate=100% for 3s", 1000, 1000),
      ("reorder=50% for 3s", silence, 1000), ("delay=5s for 6s", silence, nil),
      ("duplicate=100% for 3s", nil, 0), ("clock=+90s for 3s", nil, 0),
      ("flood=2000/s for 2s", nil, 0), ("delay=300ms for 4s", nil, nil),
    ] as [(String, Int64?, Int64?)])
  func `a fault is shown in time and ends by itself`(
    text: String, said: Int64?, lie: Int64?
  ) throws {
    for seed in [UInt64(3), 8, 21].prefix(repetitions(1, all: 3)) {
      let course = try course(of: text, seed: seed)
      #expect(course.isRightInTheEnd, "\(text), seed \(seed): \(course)")
      if let said {
        #expect((course.saidAfter ?? .max) <= said, "\(text), seed \(seed): \(course)")
      } else {
        // The market has pauses of its own.
        let calm = try self.course(of: "", seed: seed).saidAfter
        #expect(course.saidAfter == nil || course.saidAfter == calm, "\(text), seed \(seed)")
      }
      if let lie { #expect(course.longestLie <= lie, "\(text), seed \(seed): \(course)") }
    }
  }
}
