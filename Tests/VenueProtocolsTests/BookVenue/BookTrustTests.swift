// A book's integrity, without a venue.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct BookTrustTests {
  private func trust() -> BookTrust { BookTrust(CadenceTracker(expectedGapMilliseconds: 100)) }

  private func at(_ milliseconds: Int64) -> ClockReading {
    ClockReading(milliseconds: milliseconds)
  }

  @Test func `nothing is valid before the first snapshot, and changes are ignored`() {
    let trust = trust()
    #expect(trust.status == .waiting && !trust.takesChanges)
    #expect(trust.freshness(origin: .venue, synced: .live).state == .waiting)
  }

  @Test func `a snapshot is valid until a doubt, which is reported once`() {
    var trust = trust()
    trust.beginImage()
    trust.countChange(at: at(10))
    trust.confirm(at: at(10))
    #expect(trust.status == .synced && trust.takesChanges && trust.sequence == 1)
    #expect(trust.freshness(origin: .venue, synced: .late).state == .late)
    #expect(trust.doubt(.crossed) == .needsSnapshot)
    #expect(trust.doubt(.checksum) == .applied, "the second doubt asks for nothing")
    #expect(trust.status == .resyncing && trust.resyncs == 1)
    #expect(trust.freshness(origin: .venue, synced: .live).state == .resyncing)
    trust.beginImage()
    #expect(trust.status == .synced && !trust.isDoubtful)
  }

  @Test func `changes are dropped from the moment of a snapshot's request`() {
    var trust = trust()
    trust.beginImage()
    trust.awaitSnapshot(at: MonotonicTime(milliseconds: 20))
    #expect(!trust.takesChanges && trust.status == .resyncing)
    #expect(trust.askedAt == MonotonicTime(milliseconds: 20))
    trust.beginImage()
    #expect(trust.takesChanges && trust.askedAt == nil)
  }

  @Test func `an interruption keeps the image to be shown and believes nothing`() {
    var trust = trust()
    trust.beginImage()
    trust.countChange(at: at(10))
    trust.confirm(at: at(10))
    trust.interrupt()
    #expect(trust.status == .resyncing && !trust.takesChanges)
    #expect(trust.freshness(origin: .venue, synced: .live).confirmedAt == at(10))
    trust.forget()
    #expect(trust.status == .waiting && trust.sequence == 1, "counters stay")
  }

  @Test func `a lost message is a doubt only where changes are taken`() {
    var trust = trust()
    let waiting = trust.losesMessage()
    #expect(!waiting)
    trust.beginImage()
    let (first, second) = (trust.losesMessage(), trust.losesMessage())
    #expect(first && !second)
  }

  @Test func `the freshness contains the silence after which the book is late`() {
    var trust = trust()
    trust.beginImage()
    for step in 0..<40 { trust.countChange(at: at(Int64(step) * 1000)) }
    trust.confirm(at: at(39_000))
    let freshness = trust.freshness(origin: .venue, synced: .live)
    #expect(freshness.lateAfterMilliseconds == 3000)
    #expect(trust.rhythm(at: at(42_000)) == .live && trust.rhythm(at: at(42_001)) == .late)
  }
}
