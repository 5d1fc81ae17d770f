import AppState
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct ConnectionTests {
  @Test func `UX the feed's badge leads to the connections of all venues`() throws {
    let app = TestApp()
    app.feeds.connection(.echo, .live)
    app.feeds.connection(
      .kraken, .backingOff, reason: "Kraken can't be reached. Check the network.",
      nextAttemptIn: 9000)
    app.feeds.connection(.exchange, .stopped)
    try app.host.tap("Connection")
    #expect(app.host.navigationTitle == "Settings")
    app.feeds.pass(4000)
    #expect(app.texts.contains("Connected · for 4 s · simulated"))
    #expect(app.texts.contains("Disconnected · for 4 s · next try in 5 s · simulated"))
    #expect(app.texts.contains("Kraken can't be reached. Check the network."))
    #expect(app.texts.contains("Stopped · for 4 s · simulated"))
    #expect(!app.texts.contains("BitMEX"), "what has not reported is not made up")
    try app.host.tap("Retry Kraken now")
    #expect(app.feeds.asked == ["retry kraken"])
    #expect(throws: ViewHost.Failure.self) { try app.host.tap("Retry Two Roads Exchange now") }
  }

  @Test func `UX without any venue the list of connections shows that`() throws {
    let app = TestApp()
    try app.host.tap("Settings")
    #expect(app.texts.contains("No venue has an address in this app."))
  }

  @Test func `UX a connection in words: what is known, and nothing else`() throws {
    func facts(_ phase: ConnectionPhase, _ adjust: (inout ConnectionStatus) -> Void) -> String? {
      var status = ConnectionStatus(
        venue: .kraken, origin: .venue, since: ClockReading(milliseconds: 0))
      status.phase = phase
      adjust(&status)
      var screen = StatusScreen()
      _ = screen.receive(.connection(status), at: ClockReading(milliseconds: 0))
      return screen.state.venues[.kraken].map {
        ConnectionFacts($0, at: Timestamp(milliseconds: 7_300_000)).texts.map(\.description)
          .joined(separator: " · ")
      }
    }
    #expect(facts(.live) { _ in } == "Connected · for 2 h")
    let busy = facts(.live) {
      $0.lastMessage = ClockReading(milliseconds: 7_200_000)
      $0.roundTripMicroseconds = 24_499
      ($0.reconnects, $0.resyncs, $0.rejectedMessages) = (1, 2, 3)
    }
    #expect(
      busy == "Connected · for 2 h · last message 100 s ago · 24 ms · 1 reconnect · 2 resyncs · "
        + "3 rejected messages")
    #expect(facts(.live) { $0.roundTripMicroseconds = 870 } == "Connected · for 2 h · 870 µs")
    let new = facts(.live) {
      $0 = ConnectionStatus(
        venue: .kraken, origin: .venue, since: ClockReading(milliseconds: 7_299_001))
      $0.phase = .live
      $0.lastMessage = ClockReading(milliseconds: 7_299_500)
    }
    #expect(new == "Connected · last message just now", "nothing lasts 0 s")
    let due = facts(.backingOff) { $0.nextAttempt = ClockReading(milliseconds: 7_000_000) }
    #expect(due == "Disconnected · for 2 h · next try now")
  }
}
