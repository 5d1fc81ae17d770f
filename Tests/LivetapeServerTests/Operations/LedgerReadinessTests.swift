// The health report of the process that keeps the ledger.

import MarketModel
import MessageBus
import SharedLedger
import Testing
import VenueTape

@testable import LivetapeServer

@Suite struct LedgerReadinessTests {
  private func json(_ readiness: LedgerReadiness) -> String {
    String(decoding: readiness.json, as: UTF8.self)
  }

  @Test func `it is ready as the ledger's owner and as a standby`() {
    let keeps = LedgerReadiness(link: .up, standing: LedgerStanding(epoch: 7, events: 12))
    #expect(keeps.isReady)
    #expect(
      json(keeps)
        == #"{"ready":true,"count":0,"reasons":[],"#
        + #""ledger":{"role":"keeps","epoch":7,"events":12}}"#)
    let standby = LedgerReadiness(link: .up)
    #expect(standby.isReady)
    #expect(json(standby) == #"{"ready":true,"count":0,"reasons":[],"ledger":{"role":"standby"}}"#)
  }

  @Test func `it is not ready without its bus or its disk, and gives the reason`() {
    let readiness = LedgerReadiness(
      link: .down("refused"), standing: LedgerStanding(epoch: 7, failure: "The disk is full."))
    #expect(!readiness.isReady)
    #expect(json(readiness).contains(#""count":2,"reasons":[{"code":"bus_down","text":"#))
    #expect(json(readiness).contains(#"{"code":"orders_refused","text":"The disk is full."}"#))
    #expect(!LedgerReadiness(link: .down("refused")).isReady)
  }

  @Test func `a standby that no process leads is not ready, nor is a reader`() {
    let refused = LedgerStanding(problem: .refused("JetStream is off"))
    let ledger = LedgerReadiness(link: .up, standing: refused)
    #expect(!ledger.isReady)
    #expect(
      json(ledger).contains(
        #"{"code":"lease_refused","text":"the lease is refused: JetStream is off"}"#))
    #expect(!LedgerReadiness(link: .up, standing: LedgerStanding(problem: .noLeader)).isReady)
    let reader = ReaderReadiness(
      link: .up,
      venues: [
        TapeReading(venue: .kraken, epoch: 7, phase: .live),
        TapeReading(venue: .bitmex, epoch: nil, phase: .idle, problem: .noLeader),
      ])
    #expect(!reader.isReady)
    let text = String(decoding: reader.json, as: UTF8.self)
    #expect(text.contains(#"{"code":"no_leader","text":"bitmex: no process leads"#))
  }
}
