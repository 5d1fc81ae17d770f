// A server follows exactly one ledger, event by event.

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
    _ sample: PieceSample?, of identity: LedgerIdentity? = LedgerSamples.identity,
    epoch: UInt64 = 5, number: UInt64 = 1, failure: Sentence? = nil
  ) -> LedgerPulse {
    LedgerPulse(
      epoch: epoch, number: number, identity: identity, sequence: sample?.last ?? 0,
      head: sample?.end ?? LedgerChain(LedgerSamples.rules).head, skippedTicks: 0,
      failure: failure)
  }

  /// A follower with all events, confirmed by a pulse.
  private func informed() -> LedgerFollower {
    var follower = follower()
    _ = follower.receive(pulse(nil), at: at(100))
    for sample in Self.pieces { _ = follower.receive(piece(sample), at: at(100)) }
    _ = follower.receive(pulse(Self.last, number: 2), at: at(200))
    return follower
  }

  /// Responds from these pieces until no request is left.
  private func respond(
    _ ask: LedgerFollower.Ask?, of pieces: [PieceSample], to follower: inout LedgerFollower,
    at now: MonotonicTime, epoch: UInt64 = 5
  ) {
    var ask = ask
    while let after = ask?.after {
      let sample = pieces.first { $0.excerpt.after == after }
      let none = LedgerExcerpt(after: after, hash: nil, texts: [])
      let piece = LedgerPiece(epoch: epoch, excerpt: sample?.excerpt ?? none)
      ask = follower.receiveResponse(piece, at: now).ask
    }
  }

  private func piece(_ sample: PieceSample, epoch: UInt64 = 5) -> LedgerPiece {
    LedgerPiece(epoch: epoch, excerpt: sample.excerpt)
  }

  @Test func `events are taken in order, and the orders are those of the ledger`() throws {
    var follower = follower()
    #expect(follower.isStarting(at: at(100)))
    #expect(follower.receive(pulse(nil), at: at(200)) == nil)
    #expect(follower.failure(at: at(200)) == nil)
    for sample in Self.pieces {
      let taken = follower.receive(piece(sample), at: at(300))
      #expect(taken.isNew)
      #expect(taken.ask == nil)
    }
    #expect(follower.chain.head == Self.last.end)
    #expect(follower.trader.history == (try OrderHistory(replaying: Self.events)))
    #expect(follower.storage?.eventCount == UInt64(Self.events.count))
    #expect(follower.receive(pulse(Self.last, number: 2), at: at(400)) == nil)
    #expect(!follower.isContradicted)
  }

  @Test func `a late follower requests earlier events, part by part`() throws {
    var follower = follower()
    var ask = follower.receive(pulse(Self.last), at: at(200))
    #expect(ask == LedgerFollower.Ask(after: 0))
    #expect(follower.failure(at: at(200)) == "Loading orders from the order service.")
    #expect(
      follower.receive(pulse(Self.last, number: 2), at: at(400)) == nil, "it was asked already")
    var answers = 0
    while let after = ask?.after {
      let sample = try #require(Self.pieces.first { $0.excerpt.after == after })
      ask = follower.receiveResponse(piece(sample), at: at(500)).ask
      answers += 1
    }
    #expect(answers == Self.pieces.count)
    #expect(follower.isCurrent)
    #expect(follower.failure(at: at(500)) == nil)
    #expect(follower.trader.history == (try OrderHistory(replaying: Self.events)))
  }

  @Test func `a missing response is requested again with the next pulse`() {
    var follower = follower()
    #expect(follower.receive(pulse(Self.last), at: at(200)) != nil)
    let none = follower.receiveResponse(nil, at: at(2200))
    #expect(!none.isNew && none.ask == nil)
    #expect(follower.receive(pulse(Self.last, number: 9), at: at(2300))?.after == 0)
  }

  @Test func `a missing piece is requested, and known ones are not applied twice`() {
    var follower = follower()
    _ = follower.receive(pulse(nil), at: at(100))
    #expect(follower.receive(piece(Self.pieces[0]), at: at(100)).isNew)
    #expect(follower.receive(piece(Self.pieces[2]), at: at(100)).ask?.after == Self.pieces[0].last)
    #expect(!follower.receive(piece(Self.pieces[0]), at: at(100)).isNew)
    let whole = LedgerSamples.pieces(Self.events, of: 1000)[0]
    #expect(follower.receiveResponse(piece(whole), at: at(100)).isNew)
    #expect(follower.chain.head == Self.last.end)
    #expect(!follower.isContradicted)
  }

  @Test func `another ledger receives no order until the own one is back`() {
    let other = LedgerSamples.pieces(LedgerSamples.events(90, prefix: "other"), of: 1000)[0]
    var follower = informed()
    let orders = follower.trader.history
    for step in 0..<8 {
      let now = at(1000 + Int64(step) * 250)
      #expect(
        follower.receive(pulse(other, of: LedgerSamples.otherIdentity, epoch: 6), at: now) == nil)
      #expect(!follower.receive(piece(other, epoch: 6), at: now).isNew)
      #expect(
        follower.failure(at: now)?.description.contains("another ledger") == true, "step \(step)")
    }
    #expect(follower.trader.history == orders)
    #expect(follower.receive(pulse(Self.last, epoch: 7), at: at(3000)) == nil)
    #expect(follower.failure(at: at(3000)) == nil)
    #expect(follower.trader.history == orders)
  }

  @Test func `a ledger without orders is left for another one`() {
    var follower = follower()
    _ = follower.receive(pulse(nil, of: LedgerSamples.otherIdentity), at: at(100))
    #expect(follower.failure(at: at(100)) == nil)
    let ask = follower.receive(pulse(Self.last), at: at(200))
    respond(ask, of: Self.pieces, to: &follower, at: at(200))
    #expect(follower.failure(at: at(200)) == nil)
    #expect(follower.identity == LedgerSamples.identity)
  }

  @Test func `orders that no pulse has confirmed yet are not given up for a forged ledger`() {
    let other = LedgerSamples.pieces(LedgerSamples.events(90, prefix: "other"), of: 1000)[0]
    for forged in [
      pulse(other, of: LedgerSamples.otherIdentity, epoch: .max),
      pulse(nil, of: LedgerSamples.otherIdentity, epoch: .max),
    ] {
      var follower = follower()
      _ = follower.receive(pulse(nil), at: at(100))
      for sample in Self.pieces { _ = follower.receive(piece(sample), at: at(150)) }
      #expect(follower.receive(forged, at: at(200)) == nil)
      #expect(follower.failure(at: at(200)) == nil)
      _ = follower.receive(pulse(Self.last, number: 2), at: at(350))
      #expect(follower.failure(at: at(350)) == nil)
      #expect(follower.chain.head == Self.last.end)
    }
  }

  @Test func `one forged pulse refuses no order for longer than until the next true one`() {
    let other = LedgerSamples.pieces(LedgerSamples.events(90, prefix: "other"), of: 1000)[0]
    let changed = PieceSample(
      excerpt: Self.last.excerpt, end: Self.pieces[0].end, last: Self.last.last)
    let forged = [
      pulse(other, of: LedgerSamples.otherIdentity), pulse(nil, of: LedgerSamples.otherIdentity),
      pulse(nil), pulse(Self.pieces[1]), pulse(changed), pulse(other),
      LedgerPulse(
        epoch: 5, number: 9, identity: nil, sequence: 0, head: nil, skippedTicks: 0,
        failure: "forged"),
    ]
    for (index, pulse) in forged.enumerated() {
      var follower = informed()
      let ask = follower.receive(pulse, at: at(250))
      respond(ask, of: Self.pieces, to: &follower, at: at(260))
      let next = follower.receive(self.pulse(Self.last, number: 3), at: at(450))
      respond(next, of: Self.pieces, to: &follower, at: at(460))
      #expect(follower.failure(at: at(460)) == nil, "forged pulse \(index)")
      #expect(follower.chain.head == Self.last.end, "forged pulse \(index)")
      // Nor does it stay away when it arrives before the first valid one.
      var fresh = self.follower()
      respond(fresh.receive(pulse, at: at(50)), of: Self.pieces, to: &fresh, at: at(60))
      let first = fresh.receive(self.pulse(Self.last, number: 3), at: at(250))
      respond(first, of: Self.pieces, to: &fresh, at: at(260))
      respond(
        fresh.receive(self.pulse(Self.last, number: 4), at: at(500)), of: Self.pieces, to: &fresh,
        at: at(510))
      #expect(fresh.failure(at: at(510)) == nil, "forged pulse \(index), first")
    }
  }

  @Test func `events that the ledger does not have are replaced by its own`() throws {
    let tail = LedgerSamples.pieces(LedgerSamples.events(41), of: Self.events.count)[1]
    let text = tail.excerpt.texts[0].replacing("order-41", with: "forged")
    let forged = LedgerExcerpt(
      after: Self.last.last, hash: Self.last.end, texts: [text])
    let now = ClockReading(milliseconds: 1_790_000_100_000)
    var follower = informed()
    follower.watch(.feed(.tick(LedgerSamples.tick(1)), of: LedgerSamples.rules.symbol), at: now)
    #expect(follower.receive(LedgerPiece(epoch: 5, excerpt: forged), at: at(250)).isNew)
    let ask = follower.receive(pulse(Self.last, number: 3), at: at(450))
    #expect(ask == LedgerFollower.Ask(after: 0))
    #expect(follower.failure(at: at(450))?.description.contains("changed copy") == true)
    respond(ask, of: Self.pieces, to: &follower, at: at(460))
    #expect(follower.failure(at: at(460)) == nil)
    #expect(follower.trader.history == (try OrderHistory(replaying: Self.events)))
    #expect(follower.trader.liveMarket != nil, "the market is still known")
  }

  @Test func `an older copy of the ledger receives no order, however far it continues`() {
    var follower = informed()
    let orders = follower.trader.history
    let older = LedgerSamples.pieces(LedgerSamples.events(90, prefix: "other"), of: 7)
    // It starts with fewer events, and takes others than the missing ones.
    for (step, sample) in [Self.pieces[2], Self.pieces[2], older[0], older[6], older[11]]
      .enumerated()
    {
      let now = at(1000 + Int64(step) * 11_000)
      let ask = follower.receive(pulse(sample, epoch: 6), at: now)
      respond(ask, of: older, to: &follower, at: now, epoch: 6)
      #expect(
        follower.failure(at: now)?.description.contains("older or changed copy") == true,
        "step \(step)")
      #expect(follower.trader.history == orders, "step \(step)")
    }
    let ask = follower.receive(pulse(Self.last, epoch: 7), at: at(90_000))
    respond(ask, of: Self.pieces, to: &follower, at: at(90_000), epoch: 7)
    #expect(follower.failure(at: at(90_000)) == nil, "the latest copy is back")
  }

  @Test func `a response that repeats events is not continued with foreign ones`() {
    let other = LedgerSamples.pieces(LedgerSamples.events(90, prefix: "other"), of: 1000)[0]
    var follower = informed()
    #expect(!follower.receive(piece(other), at: at(250)).isNew)
    #expect(follower.chain.head == Self.last.end)
  }

  @Test func `an order service without its lease is ignored`() {
    var follower = follower()
    _ = follower.receive(pulse(nil, epoch: 6), at: at(100))
    _ = follower.receive(piece(Self.pieces[0], epoch: 6), at: at(200))
    #expect(!follower.receive(piece(Self.pieces[1], epoch: 5), at: at(300)).isNew)
    #expect(follower.receive(pulse(Self.last, epoch: 5), at: at(300)) == nil)
    #expect(follower.pulse?.epoch == 6)
    // A broker that lost its store restarts its numbers.
    #expect(follower.receive(pulse(Self.pieces[0], epoch: 1), at: at(200 + 6000)) == nil)
    #expect(follower.pulse?.epoch == 1)
    #expect(!follower.isContradicted)
  }

  @Test func `the reason for not sending an order is given, the nearest cause first`() {
    var follower = follower()
    let silent: Sentence = "The order service does not respond, so no orders are taken."
    #expect(follower.failure(at: at(0)) == silent)
    #expect(!follower.isStarting(at: at(1600)), "silence for so long is worth saying")
    _ = follower.receive(pulse(nil, failure: "The disk is full."), at: at(2000))
    #expect(follower.failure(at: at(2000)) == "The disk is full.")
    _ = follower.receive(pulse(nil, number: 2), at: at(2250))
    #expect(follower.failure(at: at(3049)) == nil)
    #expect(follower.blindness(at: at(3049)) == nil)
    let since: Int64? = 800_000_000
    #expect(follower.blindness(at: at(3050)) == since, "since the last pulse")
    #expect(follower.failure(at: at(3050)) == silent)
    follower.receive(.down("connection refused"))
    #expect(
      follower.failure(at: at(3050))
        == "The bus is down, so no orders are taken: connection refused.")
    follower.receive(.up)
    #expect(follower.failure(at: at(3050)) == silent)
  }

  @Test func `the market is seen, and fills nothing here`() throws {
    var follower = follower()
    _ = follower.receive(pulse(nil), at: at(100))
    for sample in Self.pieces { _ = follower.receive(piece(sample), at: at(100)) }
    let before = follower.trader.history
    #expect(before.openCount > 0)
    let now = ClockReading(milliseconds: 1_790_000_100_000)
    follower.watch(
      .feed(.tick(LedgerSamples.tick(1, ask: 45_020_000)), of: LedgerSamples.rules.symbol), at: now)
    #expect(follower.trader.liveMarket != nil)
    // Low enough to fill every resting order.
    follower.watch(
      .feed(.tick(LedgerSamples.tick(2, ask: 45_015_000)), of: LedgerSamples.rules.symbol), at: now)
    #expect(follower.trader.history == before)
    #expect(follower.trader.lastMarket?.number == 2)
  }
}
