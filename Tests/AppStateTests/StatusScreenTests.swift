import MarketModel
import Testing

@testable import AppState

@Suite struct StatusScreenTests {
  @Test func `the list names every venue in order, before any has reported`() {
    let state = StatusScreen().state
    #expect(state.order == Venue.allCases)
    #expect(state.venues.isEmpty)
    #expect(state.worst == .disconnected)
  }

  @Test(
    arguments: [
      ([.live, .live], .connected),
      ([.live, .subscribing], .connected),
      ([.live, .connecting], .connecting),
      ([.live, .awaitingReady, .handshaking], .connecting),
      ([.live, .connecting, .backingOff], .disconnected),
      ([.live, .stale], .disconnected),
      ([.live, .refused], .disconnected),
      // Stopped by the user or never started: not a fault …
      ([.live, .stopped], .connected),
      ([.live, .idle], .connected),
      ([.connecting, .stopped, .idle], .connecting),
      // … but a program with no other connection is not connected.
      ([.stopped, .stopped], .disconnected),
      ([.idle], .disconnected),
    ] as [([ConnectionPhase], ConnectionIndicator)])
  func `the chip shows the worst of the venues that should be connected`(
    phases: [ConnectionPhase], expected: ConnectionIndicator
  ) {
    var screen = StatusScreen()
    for (venue, phase) in zip(Venue.allCases, phases) {
      screen.take(connection(venue, phase))
    }
    #expect(screen.state.worst == expected)
  }

  @Test func `a venue shows all that is known of its connection`() throws {
    var screen = StatusScreen()
    screen.take(
      connection(.bitmex, .backingOff, since: 5000) { status in
        status.lastMessage = at(4000)
        status.roundTripMicroseconds = 850
        status.delayMilliseconds = 2500
        (status.reconnects, status.resyncs, status.rejectedMessages) = (1, 2, 3)
        status.nextAttempt = at(9000)
        status.reason = "Prices paused. Reconnecting…"
      }, 5000)
    let venue = try #require(screen.state.venues[.bitmex])
    #expect(venue.name == "BitMEX")
    #expect(venue.phase == .backingOff)
    #expect(!venue.connected)
    #expect(venue.origin == .simulated)
    #expect(venue.since == Timestamp(milliseconds: 5000))
    #expect(venue.lastMessage == Timestamp(milliseconds: 4000))
    #expect(venue.roundTripMicroseconds == 850)
    #expect(venue.delayMilliseconds == 2500)
    #expect([venue.reconnects, venue.resyncs, venue.rejected] == [1, 2, 3])
    #expect(venue.nextAttempt == Timestamp(milliseconds: 9000))
    #expect(venue.reason == "Prices paused. Reconnecting…")
  }

  @Test func `the time of the latest message moves at most once a second`() {
    var screen = StatusScreen()
    func message(_ moment: Int64) -> ScreenInput {
      connection(.echo, .live) { $0.lastMessage = at(moment) }
    }
    var shown: [Int64?] = []
    for moment: Int64 in [0, 300, 999, 1000, 1001, 1999] {
      screen.take(message(moment), moment)
      shown.append(screen.state.venues[.echo]?.lastMessage?.milliseconds)
    }
    #expect(shown == [0, 0, 0, 1000, 1000, 1000])
    screen.pass(to: 2000)
    #expect(screen.state.venues[.echo]?.lastMessage?.milliseconds == 1999, "a timer catches up")
  }

  @Test func `an outage began when the connection was lost, not with its latest attempt`() {
    var screen = StatusScreen()
    func since(_ phase: ConnectionPhase, _ moment: Int64) -> Int64? {
      screen.take(connection(.kraken, phase, since: moment), moment)
      return screen.state.venues[.kraken]?.since?.milliseconds
    }
    #expect(since(.connecting, 0) == 0)
    #expect(since(.live, 100) == 100)
    #expect(since(.backingOff, 5000) == 5000)
    #expect(since(.connecting, 6000) == 5000)
    #expect(since(.backingOff, 6100) == 5000)
    #expect(since(.live, 9000) == 9000)
    #expect(since(.stopped, 9500) == 9500)
    #expect(since(.connecting, 9900) == 9900)
  }

  @Test func `everything else moves at once`() {
    var screen = StatusScreen()
    screen.take(connection(.echo, .live), 0)
    screen.take(connection(.echo, .backingOff, since: 1), 1)
    #expect(screen.state.venues[.echo]?.phase == .backingOff)
  }

  @Test func `a venue that is not listed is ignored`() {
    var screen = StatusScreen(venues: [.echo])
    screen.take(connection(.bux, .live))
    #expect(screen.state.venues.isEmpty)
  }

  @Test func `Retry now is for venues that wait, not for connected, stopped or unknown ones`() {
    var screen = StatusScreen()
    screen.take(connection(.bitmex, .backingOff))
    screen.take(connection(.isin, .live))
    screen.take(connection(.echo, .stopped))
    #expect(screen.perform(.retry(.bitmex), at: at(0)) == [.retryVenue(.bitmex)])
    #expect(screen.perform(.retry(.isin), at: at(0)).isEmpty)
    #expect(screen.perform(.retry(.echo), at: at(0)).isEmpty)
    #expect(screen.perform(.retry(.bux), at: at(0)).isEmpty, "it has never reported")
  }
}
