// A server believes a ledger event by event, and no other one afterwards.

import MarketModel
import MessageBus
import OrderLedger
import OrderService
import PaperTrading
import Testing

@testable import SharedLedger

@Suite struct LedgerFollowerTests {
  private static let events = LedgerSamples.events(40)
  private static let pieces = LedgerSamples.pieces(events, of: 7)
  private static var last: PieceSample { pieces[pieces.count - 1] }

  private func at(_ milliseconds: Int64) -> MonotonicTime { LedgerSamples.at(milliseconds) }

  private func follower() -> LedgerFollower {
    LedgerFollower(LedgerSamples.rules, at: at(0))
  }

  private func pulse(
    _ sample: PieceSample?, epoch: UInt64 = 5, number: UInt64 = 1, failure: String? = nil
  ) -> LedgerPulse {
    LedgerPulse(
      epoch: epoch, number: number, sequence: sample?.last ?? 0,
      head: sample?.end ?? LedgerChain(LedgerSamples.rules).head, skippedTicks: 0,
      failure: failure)
  }

  private func piece(_ sample: PieceSample, epoch: UInt64 = 5) -> LedgerPiece {
    LedgerPiece(epoch: epoch, excerpt: sample.excerpt)
  }

  @Test func `events are taken in order, and the orders are those of the ledger`() throws {
    var follower = follower()
    #expect(follower.isStarting(at: at(100)))
    #expect(follower.take(pulse(nil), at: at(200)) == nil)
    #expect(follower.failure(at: at(200)) == nil)
    for sample in Self.pieces {
      let taken = follower.take(piece(sample), at: at(300))
      #expect(taken.isNew)
      #expect(taken.ask == nil)
    }
    #expect(follower.chain.head == Self.last.end)
    #expect(follower.trader.history == (try OrderHistory(replaying: Self.events)))
    #expect(follower.storage?.eventCount == UInt64(Self.events.count))
    #expect(follower.take(pulse(Self.last, number: 2), at: at(400)) == nil)
    #expect(!follower.isForeign)
  }

  @Test func `who comes later asks for what was before, part by part`() throws {
    var follower = follower()
    var ask = follower.take(pulse(Self.last), at: at(200))
    #expect(ask == LedgerFollower.Ask(after: 0))
    #expect(follower.failure(at: at(200)) == "The orders are being fetched from the order service.")
    #expect(follower.take(pulse(Self.last, number: 2), at: at(400)) == nil, "it was asked already")
    var answers = 0
    while let after = ask?.after {
      let sample = try #require(Self.pieces.first { $0.excerpt.after == after })
      ask = follower.takeAnswer(piece(sample), at: at(500)).ask
      answers += 1
    }
    #expect(answers == Self.pieces.count)
    #expect(follower.isCurrent)
    #expect(follower.failure(at: at(500)) == nil)
    #expect(follower.trader.history == (try OrderHistory(replaying: Self.events)))
  }

  @Test func `an answer that does not come is asked for again with the next pulse`() {
    var follower = follower()
    #expect(follower.take(pulse(Self.last), at: at(200)) != nil)
    let none = follower.takeAnswer(nil, at: at(2200))
    #expect(!none.isNew && none.ask == nil)
    #expect(follower.take(pulse(Self.last, number: 9), at: at(2300))?.after == 0)
  }

  @Test func `a missing piece is asked for, and what is known already is not taken twice`() {
    var follower = follower()
    _ = follower.take(pulse(nil), at: at(100))
    #expect(follower.take(piece(Self.pieces[0]), at: at(100)).isNew)
    #expect(follower.take(piece(Self.pieces[2]), at: at(100)).ask?.after == Self.pieces[0].last)
    #expect(!follower.take(piece(Self.pieces[0]), at: at(100)).isNew)
    let whole = LedgerSamples.pieces(Self.events, of: 1000)[0]
    #expect(follower.takeAnswer(piece(whole), at: at(100)).isNew)
    #expect(follower.chain.head == Self.last.end)
    #expect(!follower.isForeign)
  }

  @Test func `a ledger with another past is not believed, and nothing is sent to it`() {
    let other = LedgerSamples.pieces(LedgerSamples.events(40, prefix: "other"), of: 7)
    for strange in 0..<5 {
      var follower = follower()
      _ = follower.take(pulse(nil), at: at(100))
      for sample in Self.pieces.prefix(3) { _ = follower.take(piece(sample), at: at(100)) }
      let orders = follower.trader.history
      switch strange {
      case 0: _ = follower.take(piece(other[3]), at: at(200))
      case 1: _ = follower.take(pulse(other[2]), at: at(200))
      case 2: _ = follower.take(pulse(Self.pieces[1]), at: at(200))
      case 3:
        let shorter = LedgerExcerpt(after: Self.pieces[2].last, hash: nil, texts: [])
        _ = follower.takeAnswer(LedgerPiece(epoch: 5, excerpt: shorter), at: at(200))
      default:
        let text = Self.pieces[3].excerpt.texts[0]
        let changed = text.replacing("\"quantity\":10", with: "\"quantity\":11")
        let excerpt = LedgerExcerpt(
          after: Self.pieces[2].last, hash: Self.pieces[2].end,
          texts: [changed == text ? text + " " : changed])
        _ = follower.take(LedgerPiece(epoch: 5, excerpt: excerpt), at: at(200))
        // One that reads well shows with the hash that the next pulse names.
        _ = follower.take(pulse(Self.pieces[3]), at: at(200))
        let rest = LedgerExcerpt(
          after: Self.pieces[2].last + 1, hash: nil, texts: [])
        _ = follower.takeAnswer(LedgerPiece(epoch: 5, excerpt: rest), at: at(200))
      }
      #expect(follower.isForeign, "case \(strange)")
      #expect(follower.failure(at: at(200))?.contains("another ledger") == true, "case \(strange)")
      if strange < 4 { #expect(follower.trader.history == orders, "case \(strange)") }
      // Nor is it believed again.
      #expect(follower.take(pulse(Self.pieces[2], number: 9), at: at(300)) == nil)
      #expect(!follower.take(piece(Self.pieces[3]), at: at(300)).isNew)
      #expect(follower.isForeign)
    }
  }

  @Test func `an order service that may not speak any more is not heard`() {
    var follower = follower()
    _ = follower.take(pulse(nil, epoch: 6), at: at(100))
    _ = follower.take(piece(Self.pieces[0], epoch: 6), at: at(200))
    #expect(!follower.take(piece(Self.pieces[1], epoch: 5), at: at(300)).isNew)
    #expect(follower.take(pulse(Self.last, epoch: 5), at: at(300)) == nil)
    #expect(follower.pulse?.epoch == 6)
    // A broker that lost its store counts anew.
    #expect(follower.take(pulse(Self.pieces[0], epoch: 1), at: at(200 + 6000)) == nil)
    #expect(follower.pulse?.epoch == 1)
    #expect(!follower.isForeign)
  }

  @Test func `why no order is sent is said, the nearest cause first`() {
    var follower = follower()
    let silent = "The order service does not answer, so no orders are taken."
    #expect(follower.failure(at: at(0)) == silent)
    #expect(!follower.isStarting(at: at(1600)), "silence for so long is worth saying")
    _ = follower.take(pulse(nil, failure: "The disk is full."), at: at(2000))
    #expect(follower.failure(at: at(2000)) == "The disk is full.")
    _ = follower.take(pulse(nil, number: 2), at: at(2250))
    #expect(follower.failure(at: at(3049)) == nil)
    #expect(follower.blindness(at: at(3049)) == nil)
    let since: Int64? = 800_000_000
    #expect(follower.blindness(at: at(3050)) == since, "since the last pulse")
    #expect(follower.failure(at: at(3050)) == silent)
    follower.take(.down("connection refused"))
    #expect(
      follower.failure(at: at(3050))
        == "The bus is down, so no orders are taken: connection refused.")
    follower.take(.up)
    #expect(follower.failure(at: at(3050)) == silent)
  }

  @Test func `the market is seen, and fills nothing here`() throws {
    var follower = follower()
    _ = follower.take(pulse(nil), at: at(100))
    for sample in Self.pieces { _ = follower.take(piece(sample), at: at(100)) }
    let before = follower.trader.history
    #expect(before.openCount > 0)
    let now = ClockReading(milliseconds: 1_790_000_100_000)
    follower.watch(.market(LedgerSamples.tick(1, ask: 45_020_000)), at: now)
    #expect(follower.trader.liveMarket != nil)
    // Low enough for every order that rests.
    follower.watch(.market(LedgerSamples.tick(2, ask: 45_015_000)), at: now)
    #expect(follower.trader.history == before)
    #expect(follower.trader.lastMarket?.number == 2)
  }
}
