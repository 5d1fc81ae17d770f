// All states by all events, and the times between them, without a socket or a clock.

import MarketModel
import SocketTransport
import Testing
import VenueCatalogue
import VenueProtocols

@testable import FeedConnections

struct Driver {
  typealias Machine = ConnectionStateMachine
  var machine: Machine
  var now: Int64 = 0
  var wake: MonotonicTime?

  init(
    _ probe: HeartbeatPolicy.Probe = .pingFrame, budget: ConnectionBudget = .ordinary,
    backoffCapMilliseconds: Int64 = 60_000, seed: UInt64 = 1, heartbeat: HeartbeatPolicy? = nil,
    venue: Venue = .bitmex, sendsToken: Bool = true
  ) {
    var settings = Machine.Settings(
      heartbeat: heartbeat
        ?? HeartbeatPolicy(
          probe: probe, probeAfterMilliseconds: 5000, deadAfterMilliseconds: 4000),
      budget: budget,
      backoff: Backoff(
        capMilliseconds: backoffCapMilliseconds, chance: SplitMix64(seed: seed)),
      displayName: venue.descriptor.displayName)
    settings.sendsToken = sendsToken
    machine = Machine(settings, venue: venue, origin: .simulated, at: ClockReading(milliseconds: 0))
  }

  var phase: ConnectionPhase { machine.status.phase }

  /// Milliseconds until the next attempt; nil when none is scheduled.
  var delay: Int64? { machine.status.nextAttempt.map { $0.wall.milliseconds - now } }

  @discardableResult
  mutating func handle(_ events: Machine.Event...) -> [Machine.Effect] {
    var all: [Machine.Effect] = []
    for event in events {
      let effects = machine.handle(event, at: ClockReading(milliseconds: now))
      for case .wake(let time) in effects { wake = time }
      all += effects
    }
    return all
  }

  /// Advances time, with a timer event whenever the machine requested one.
  @discardableResult
  mutating func advance(_ milliseconds: Int64) -> [Machine.Effect] {
    let end = now + milliseconds
    var all: [Machine.Effect] = []
    while let time = wake, time.nanoseconds <= end * 1_000_000 {
      now = max(now, (time.nanoseconds + 999_999) / 1_000_000)
      wake = nil
      all += handle(.timer)
    }
    now = end
    return all
  }

  static func at(_ phase: ConnectionPhase) -> Driver {
    var driver = Driver()
    driver.reach(phase)
    return driver
  }

  mutating func reach(_ phase: ConnectionPhase) {
    switch phase {
    case .idle: break
    case .connecting: handle(.start)
    case .handshaking: handle(.start, .connected)
    case .awaitingReady: handle(.start, .connected, .opened)
    case .subscribing: handle(.start, .connected, .opened, .ready(wantsData: true))
    case .live: handle(.start, .connected, .opened, .ready(wantsData: false))
    case .stale:
      reach(.live)
      advance(7000)
    case .backingOff: handle(.start, .failed(Driver.cut))
    case .stopped: handle(.stop)
    case .refused: handle(.start, .failed(Driver.unauthorized))
    }
  }

  static let cut = ConnectionProblem.closed(code: 1006, reason: "")
  static let unauthorized = ConnectionProblem.transport(
    .upgradeRefused(UpgradeRefusal(status: 401, body: [], retryAfterSeconds: nil)))
}

@Suite struct ConnectionStateMachineTests {
  static let phases: [ConnectionPhase] = [
    .idle, .connecting, .handshaking, .awaitingReady, .subscribing, .live, .stale, .backingOff,
    .stopped, .refused,
  ]

  /// A row for each event, a column for each phase in the order of ``phases``.
  ///
  /// "." changes nothing. The clock is stopped, so an attempt right after another has to wait.
  static let table: [(ConnectionStateMachine.Event, String)] = [
    //                        idle conn hand awai subs live stal back stop refu
    (.start, /*            */ "conn .    .    .    .    .    .    .    conn back"),
    (.stop, /*             */ "stop stop stop stop stop stop stop stop .    stop"),
    (.retryNow, /*         */ ".    .    .    .    .    .    conn back .    back"),
    (.configurationChanged, /**/ ".    back back back back back conn back .    back"),
    (.connected, /*        */ ".    hand .    .    .    .    .    .    .    .   "),
    (.opened, /*           */ ".    awai awai .    .    .    .    .    .    .   "),
    (.received, /*         */ ".    .    .    .    live .    live .    .    .   "),
    (.ready(wantsData: true), ".    .    .    subs .    .    .    .    .    .   "),
    (.ready(wantsData: false), ".    .    .    live .    .    .    .    .    .   "),
    (.pong(roundTripMicroseconds: 1), ".    .    .    .    live .    live .    .    .   "),
    (.failed(Driver.cut), /**/ ".    back back back back back back .    .    .   "),
    (.failed(Driver.unauthorized), ".    refu refu refu refu refu refu .    .    .   "),
    (.refused(Driver.cut), /**/ ".    refu refu refu refu refu refu .    .    .   "),
    (.timer, /*            */ ".    .    .    .    .    .    .    .    .    .   "),
  ]

  static let names: [String: ConnectionPhase] = [
    "idle": .idle, "conn": .connecting, "hand": .handshaking, "awai": .awaitingReady,
    "subs": .subscribing, "live": .live, "stal": .stale, "back": .backingOff, "stop": .stopped,
    "refu": .refused,
  ]

  @Test(arguments: table.indices)
  func `every state handles every event as in the table`(row: Int) throws {
    let (event, text) = Self.table[row]
    let cells = text.split(separator: " ").map(String.init)
    try #require(cells.count == Self.phases.count)
    for (phase, cell) in zip(Self.phases, cells) {
      var driver = Driver.at(phase)
      #expect(driver.phase == phase)
      let hadTransport = driver.machine.hasTransport
      let wasOpen = driver.machine.isSessionOpen
      let effects = driver.handle(event)
      let expected = cell == "." ? phase : try #require(Self.names[cell])
      #expect(driver.phase == expected, "\(event) in \(phase)")
      // Whatever happens, no transport and no open session is leaked, and none is created twice.
      let left = hadTransport && (!driver.machine.hasTransport || expected == .connecting)
      let isSame = cell == "."
      #expect(
        effects.contains { if case .disconnect = $0 { true } else { false } } == (left && !isSame),
        "\(event) in \(phase)")
      #expect(
        effects.contains(.closeSession) == (wasOpen && !driver.machine.isSessionOpen),
        "\(event) in \(phase)")
      #expect(effects.contains(.connect) == (expected == .connecting && !isSame))
      #expect(effects.contains(.report) == !isSame, "\(event) in \(phase)")
    }
  }

  @Test func `the way up asks for the right things in the right order`() {
    var driver = Driver()
    #expect(driver.handle(.start) == [.report, .connect, .wake(at: nil)])
    #expect(driver.handle(.connected) == [.report])
    let ready = MonotonicTime(milliseconds: 10_000)
    #expect(driver.handle(.opened) == [.report, .wake(at: ready), .openSession])
    let probe = MonotonicTime(milliseconds: 5000)
    #expect(driver.handle(.ready(wantsData: true)) == [.report, .wake(at: probe)])
    #expect(driver.handle(.received) == [.report])
    #expect(driver.phase == .live)
    #expect(driver.handle(.received).isEmpty)
  }

  @Test func `a venue that does not greet is left after ten seconds`() {
    var driver = Driver.at(.awaitingReady)
    driver.advance(9999)
    driver.handle(.received)
    #expect(driver.phase == .awaitingReady)
    driver.advance(1)
    #expect(driver.phase == .backingOff)
    #expect(driver.machine.status.reason == "BitMEX connected but sent no welcome message.")
  }

  @Test func `silence is probed, then stale, then dead`() {
    var driver = Driver.at(.live)
    #expect(driver.advance(4999).isEmpty)
    #expect(driver.advance(1).contains(.probe(.pingFrame)))
    #expect(driver.phase == .live)
    driver.advance(1999)
    #expect(driver.phase == .live)
    driver.advance(1)
    #expect(driver.phase == .stale)
    driver.advance(1999)
    #expect(driver.phase == .stale)
    #expect(driver.advance(1).contains(.closeSession))
    #expect(driver.phase == .backingOff)
    #expect(driver.machine.status.reason == "BitMEX has been silent for 9 s. Reconnecting.")
  }

  @Test(arguments: Venue.allCases)
  func `a half-open connection of any venue is asked, stale, and given up within twenty seconds`(
    venue: Venue
  ) {
    let session = venue.adapter.session(SessionSetup(origin: .simulated, seed: 1))
    var driver = Driver(budget: venue.descriptor.budget, heartbeat: session.heartbeat)
    driver.reach(.live)
    driver.handle(.received)
    var phases: [ConnectionPhase] = []
    while driver.phase != .backingOff, driver.now < 60_000 {
      driver.advance(250)
      if phases.last != driver.phase { phases.append(driver.phase) }
    }
    #expect(driver.now <= 20_000, "\(driver.now) ms")
    #expect(phases == [.live, .stale, .backingOff])
  }

  @Test func `any sign of life before the end makes it live again`() {
    var driver = Driver.at(.stale)
    driver.advance(1999)
    driver.handle(.received)
    #expect(driver.phase == .live)
    driver.advance(4999)
    #expect(driver.phase == .live)
    #expect(driver.advance(1).contains(.probe(.pingFrame)))
  }

  @Test func `a lively connection is never probed`() {
    var driver = Driver.at(.live)
    for _ in 0..<1000 {
      #expect(!driver.advance(100).contains(.probe(.pingFrame)))
      driver.handle(.received)
    }
    #expect(driver.phase == .live)
  }

  @Test func `after a sleep only the answer to a new question shows that the venue is there`() {
    var driver = Driver.at(.live)
    driver.now += 60_000
    let effects = driver.handle(.woken)
    #expect(effects.contains(.probe(.pingFrame)))
    #expect(driver.phase == .stale)
    driver.now += 100
    driver.handle(.received)
    #expect(driver.phase == .stale, "it may have been on its way since before")
    driver.handle(.pong(roundTripMicroseconds: 5, isOfLatest: false))
    #expect(driver.phase == .stale, "it answers a question of before")
    driver.handle(.pong(roundTripMicroseconds: 5))
    #expect(driver.phase == .live)
    driver.handle(.woken, .received)
    driver.advance(3999)
    #expect(driver.phase == .stale)
    driver.advance(1)
    #expect(driver.phase == .backingOff, "no answer")
  }

  @Test func `where nothing can be sent, silence alone is stale and then dead`() {
    var driver = Driver(.none)
    driver.reach(.live)
    #expect(!driver.advance(4999).contains(.report))
    #expect(driver.advance(1) == [.report, .wake(at: MonotonicTime(milliseconds: 9000))])
    #expect(driver.phase == .stale)
    driver.advance(4000)
    #expect(driver.phase == .backingOff)
  }

  @Test func `reconnects, round trip and the reason are reported`() {
    var driver = Driver.at(.live)
    driver.handle(.pong(roundTripMicroseconds: 1234))
    driver.handle(.failed(.closed(code: 1001, reason: "bye")))
    #expect(driver.machine.status.reason == "BitMEX is restarting.")
    driver.advance(1000)
    #expect(driver.phase == .connecting)
    #expect(driver.machine.status.reconnects == 1)
    #expect(driver.machine.status.reason != nil)
    driver.handle(.connected, .opened, .ready(wantsData: false))
    #expect(driver.machine.status.reason == nil)
    #expect(driver.machine.status.roundTripMicroseconds == 1234)
  }

  @Test func `a rejection waits for the user or another token`() {
    var driver = Driver.at(.refused)
    driver.advance(86_400_000)
    #expect(driver.phase == .refused)
    #expect(
      driver.machine.status.reason
        == "BitMEX does not accept the access token. Change it to connect.")
    #expect(driver.handle(.configurationChanged).contains(.connect))
  }

  @Test func `no token is blamed where none was sent`() {
    var driver = Driver()
    driver.machine.settings.sendsToken = false
    driver.reach(.refused)
    #expect(driver.machine.status.reason == "BitMEX refuses the connection (status 401).")
  }

  @Test func `a venue's text is cleaned for log and page`() {
    let forged = ConnectionProblem.closed(code: 4000, reason: "bye\r\n2026 error FAKE \u{1b}[31m")
    #expect(forged.description == "closed with 4000: bye  2026 error FAKE  [31m")
    let words = forged.userMessage(venue: "BitMEX")
    #expect(words == "BitMEX closed the connection (code 4000: bye  2026 error FAKE  [31m).")
    let detail = ConnectionProblem.transport(.badResponse("x", detail: "\u{7}\u{202e}"))
    #expect(detail.description == "x gave a wrong response:  ")
  }
}
