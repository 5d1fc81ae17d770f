// A reader's health report.

import Foundation
import MarketModel
import MessageBus
import Testing
import VenueTape

@testable import LivetapeServer

@Suite struct ReaderReadinessTests {
  private func json(_ readiness: ReaderReadiness) -> String {
    String(decoding: readiness.json, as: UTF8.self)
  }

  @Test func `a reader is ready when active or on standby`() {
    let readiness = ReaderReadiness(
      link: .up,
      venues: [
        TapeReading(venue: .bitmex, epoch: nil, phase: .stopped),
        TapeReading(venue: .kraken, epoch: 7, phase: .live),
      ])
    #expect(readiness.isReady)
    #expect(
      json(readiness)
        == #"{"ready":true,"count":0,"reasons":[],"venues":[{"venue":"bitmex","role":"standby"},"#
        + #"{"venue":"kraken","role":"reads","epoch":7,"phase":"live"}]}"#)
  }

  @Test func `it is not ready while the bus is down, and gives the reason`() {
    let readiness = ReaderReadiness(link: .down("connection refused"))
    #expect(!readiness.isReady)
    #expect(
      json(readiness)
        == #"{"ready":false,"count":1,"reasons":[{"code":"bus_down","text":"the bus is down: "#
        + #"connection refused"}],"venues":[]}"#)
  }
}
