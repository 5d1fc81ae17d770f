// Both apps' connection texts: one row for each moment, with the sentence and the remedy.

import MarketModel
import Testing

@testable import AppState

@Suite struct ConnectionSummaryTests {
  private func status(
    _ phase: ConnectionPhase, _ reason: Sentence? = nil, next: Int64? = nil,
    origin: DataOrigin = .simulated, venue: Venue = .kraken
  ) -> ConnectionStatus {
    var status = ConnectionStatus(venue: venue, origin: origin, since: at(0))
    (status.phase, status.reason, status.nextAttempt) = (phase, reason, next.map(at))
    return status
  }

  private func notice(
    _ summary: ConnectionSummary, _ milliseconds: Int64, waiting: Bool = true
  ) -> String? {
    summary.notice(isWaiting: waiting, at: at(milliseconds)).map { "\($0.text) [\($0.remedy)]" }
  }

  @Test func `at the start an outage is shown at once, pending data only later`() {
    var summary = ConnectionSummary(.kraken, at: at(0))
    #expect(notice(summary, 2999) == nil)
    #expect(
      notice(summary, 3000)
        == "Kraken has no address in this app, so nothing can come from it. [setUp]")
    summary.update(status(.connecting), at: at(3000))
    #expect(summary.word == .connecting)
    #expect(notice(summary, 3000)?.hasPrefix("Connecting to Kraken: no answer for 3 s.") == true)
    summary.update(status(.backingOff, "It is down.", next: 8400), at: at(4000))
    #expect(notice(summary, 4000) == "It is down. Next try in 5 s. [retry]")
    #expect(notice(summary, 8400) == "It is down. Trying again… [retry]")
    summary.update(status(.backingOff), at: at(9000))
    #expect(notice(summary, 9000) == "Kraken is not connected. Trying again soon. [retry]")
    summary.update(status(.connecting, "It is down."), at: at(9100))
    #expect(notice(summary, 9100) == "It is down. Trying again… [none]")
  }

  @Test func `later an outage of two seconds is passed over`() {
    var summary = ConnectionSummary(.kraken, at: at(0))
    summary.update(status(.live), at: at(0))
    summary.update(status(.backingOff, "Cut.", next: 9000), at: at(5000))
    summary.update(status(.connecting, "Cut."), at: at(6000))
    #expect(notice(summary, 6999, waiting: false) == nil)
    #expect(notice(summary, 7000, waiting: false) == "Cut. Trying again… [none]")
    summary.update(status(.live), at: at(7500))
    #expect(notice(summary, 7500, waiting: false) == nil)
  }

  @Test func `silence is spoken of only where nothing has come, and counted from the connection`() {
    var summary = ConnectionSummary(.kraken, at: at(0))
    summary.update(status(.subscribing), at: at(1000))
    summary.update(status(.live), at: at(5000))
    #expect(notice(summary, 8999) == nil)
    #expect(notice(summary, 9000)?.hasPrefix("Connected to Kraken, but nothing has come") == true)
    #expect(notice(summary, 9000)?.hasSuffix("[reconnect]") == true)
    #expect(notice(summary, 9000, waiting: false) == nil)
  }

  @Test(arguments: [
    (ConnectionPhase.stale, "Kraken is silent; its connection is being checked. [retry]"),
    (.stopped, "Kraken is stopped. [start]"), (.idle, "Kraken is not connected. [start]"),
    (.refused, "Kraken refused the connection. It is not tried again by itself. [retry]"),
  ])
  func `every phase that is no connection has its words`(phase: ConnectionPhase, words: String) {
    var summary = ConnectionSummary(.kraken, at: at(0))
    summary.update(status(phase), at: at(0))
    #expect(notice(summary, 0) == words)
  }

  @Test func `a permanently closed venue is shown as closed, its simulation is not`() {
    var summary = ConnectionSummary(.bitmex, at: at(0))
    #expect(notice(summary, 0)?.hasPrefix("BitMEX closed on") == true)
    #expect(notice(summary, 0)?.hasSuffix("[none]") == true)
    summary.update(
      status(.backingOff, "Gone.", origin: .venue, venue: .bitmex), at: at(0))
    #expect(notice(summary, 0)?.hasPrefix("BitMEX closed on") == true)
    summary.update(status(.backingOff, "Gone.", venue: .bitmex), at: at(0))
    #expect(notice(summary, 0) == "Gone. Trying again soon. [retry]")
  }

  @Test func `other venues' statuses and clocks that go back change nothing`() {
    var summary = ConnectionSummary(.kraken, at: at(9000))
    summary.update(status(.backingOff, "Other.", venue: .echo), at: at(9000))
    #expect(summary.word == .disconnected)
    #expect(notice(summary, 0) == nil)
    summary.update(status(.connecting), at: at(0))
    #expect(notice(summary, 0) == nil)
  }
}
