// Rules that hold on every bus, in memory and through a real broker.

import MessageBus
import NIOCore
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct BusTests {
  @Test(.enabled(if: NatsServer.program != nil, Comment(rawValue: NatsServer.absence)))
  func `a real broker is there to test with`() {}

  @Test(arguments: BusStage.Kind.available)
  func `messages of one publisher arrive in order at all subscribers`(
    _ kind: BusStage.Kind
  ) async throws {
    let stage = try await BusStage(kind)
    let ears = [
      try await Ear(stage.first, "tape.kraken"), try await Ear(stage.second, "tape.kraken"),
    ]
    try await stage.up()
    let texts = (0..<500).map { ("tape.kraken", "\($0)") }
    try await stage.publish(stage.first, [("tape.other", "x")] + texts)
    for ear in ears { #expect(await ear.next(500) == texts.map { "\($0.0) \($0.1)" }) }
    try await stage.end()
  }

  @Test(arguments: BusStage.Kind.available)
  func `a star matches one token, and an angle bracket the last ones`(
    _ kind: BusStage.Kind
  ) async throws {
    let stage = try await BusStage(kind)
    let star = try await Ear(stage.second, "a.*.c")
    let angle = try await Ear(stage.second, "a.>")
    try await stage.up()
    try await stage.publish(
      stage.first, ["a", "a.b", "b.b.c", "a.b.c", "a.b.c.d", "a.c.c"].map { ($0, "") })
    #expect(await star.next(2) == ["a.b.c ", "a.c.c "])
    #expect(await angle.next(4) == ["a.b ", "a.b.c ", "a.b.c.d ", "a.c.c "])
    try await stage.end()
  }

  @Test(arguments: BusStage.Kind.available)
  func `a cancelled subscription receives nothing more`(_ kind: BusStage.Kind) async throws {
    let stage = try await BusStage(kind)
    let one = try await Ear(stage.second, "news")
    let other = try await Ear(stage.second, "news")
    try await stage.up()
    try await one.cancel()
    let last = try await Ear(stage.second, "end")
    try await stage.up()
    try await stage.publish(stage.first, [("news", "1"), ("end", "")])
    _ = await last.next(1)
    #expect(await other.next(1) == ["news 1"])
    try await stage.end()
  }

  @Test(arguments: BusStage.Kind.available)
  func `a request has its answer, also of itself`(_ kind: BusStage.Kind) async throws {
    let stage = try await BusStage(kind)
    let ear = try await Ear(stage.second, "desk.place") { "got \(String(buffer: $0.payload))" }
    try await stage.up()
    for number in 0..<20 {
      #expect(try await stage.ask(stage.first, "desk.place", "\(number)") == "got \(number)")
    }
    #expect(try await stage.ask(stage.second, "desk.place", "own") == "got own")
    try await ear.cancel()
    try await stage.end()
  }

  @Test(arguments: BusStage.Kind.available)
  func `a request without a responder fails at once`(_ kind: BusStage.Kind) async throws {
    let stage = try await BusStage(kind)
    await #expect(throws: BusError.noResponders) { try await stage.ask(stage.first, "nobody") }
    try await stage.end()
  }

  @Test(arguments: BusStage.Kind.available)
  func `a request without an answer runs out of time`(_ kind: BusStage.Kind) async throws {
    let stage = try await BusStage(kind)
    let ear = try await Ear(stage.second, "mute")
    try await stage.up()
    await #expect(throws: BusError.timeout) {
      try await stage.ask(stage.first, "mute", timeout: 50)
    }
    try await ear.cancel()
    try await stage.end()
  }

  @Test(arguments: BusStage.Kind.available)
  func `a lease is had by one, renewed by that one, and expires by itself`(
    _ kind: BusStage.Kind
  ) async throws {
    let stage = try await BusStage(kind)
    let key = "reader.kraken"
    let first = try await stage.hold(stage.first, key, 0)
    await #expect(throws: BusError.wrongRevision) { try await stage.hold(stage.second, key, 0) }
    let renewed = try await stage.hold(stage.first, key, first)
    #expect(renewed > first)
    await #expect(throws: BusError.wrongRevision) { try await stage.hold(stage.first, key, first) }
    let other = try await stage.hold(stage.second, "reader.bitmex", 0)
    #expect(other > renewed, "revisions of the bucket rise")
    let began = ContinuousClock.now
    let next = try await expired(stage, key)
    #expect(next > other)
    #expect(ContinuousClock.now - began < .seconds(60))
    // The earlier holder has lost it.
    await #expect(throws: BusError.wrongRevision) {
      try await stage.hold(stage.first, key, renewed)
    }
    try await stage.end()
  }

  private func expired(_ stage: BusStage, _ key: String) async throws -> UInt64 {
    while true {
      do { return try await stage.hold(stage.second, key, 0) } catch BusError.wrongRevision {
        try await stage.loop.scheduleTask(in: .milliseconds(50)) {}.futureResult.get()
      }
    }
  }

  @Test(arguments: BusStage.Kind.available)
  func `a stored value survives a broker restart, and its revision allows replacing it`(
    _ kind: BusStage.Kind
  ) async throws {
    let stage = try await BusStage(kind)
    let key = "orders.ledger"
    #expect(try await stage.load(stage.first, key) == nil)
    let first = try await stage.store(stage.first, key, "one", 0)
    await #expect(throws: BusError.wrongRevision) {
      try await stage.store(stage.second, key, "two", 0)
    }
    let stored = BusValue(revision: first, bytes: ByteBuffer(string: "one"))
    #expect(try await stage.load(stage.second, key) == stored)
    #expect(try await stage.load(stage.second, "orders.other") == nil)
    try await stage.breakLinks()
    await #expect(throws: BusError.disconnected) { try await stage.load(stage.first, key) }
    await #expect(throws: BusError.disconnected) {
      try await stage.store(stage.first, key, "lost", first)
    }
    try await stage.mendLinks()
    #expect(try await stage.load(stage.second, key) == stored)
    let second = try await stage.store(stage.second, key, "", first)
    #expect(second > first)
    #expect(
      try await stage.load(stage.first, key) == BusValue(revision: second, bytes: ByteBuffer()))
    try await stage.end()
  }

  @Test(arguments: BusStage.Kind.available)
  func `a lost link fails what waits, loses what is published, and comes back with all that listen`(
    _ kind: BusStage.Kind
  ) async throws {
    let stage = try await BusStage(kind)
    let ear = try await Ear(stage.second, "tape.>")
    try await stage.up()
    let before = try await stage.hold(stage.first, "reader.kraken", 0)
    let unanswered = Task { try await stage.ask(stage.first, "tape.question") }
    #expect(await ear.next(1) == ["tape.question "])
    try await stage.breakLinks()
    await #expect(throws: BusError.disconnected) { try await unanswered.value }
    await #expect(throws: BusError.disconnected) { try await stage.ask(stage.first, "tape.a") }
    await #expect(throws: BusError.disconnected) { try await stage.hold(stage.first, "a", 0) }
    try await stage.publish(stage.first, [("tape.lost", "")])
    try await stage.mendLinks()
    try await stage.publish(stage.first, [("tape.one", "1"), ("tape.two", "2")])
    // Each once, though the subscription was repeated to the broker.
    #expect(await ear.next(2) == ["tape.one 1", "tape.two 2"])
    let after = try await stage.hold(stage.first, "other", 0)
    #expect(after > before, "revisions rise over a restart of the broker")
    try await stage.end()
  }

  @Test(arguments: BusStage.Kind.available)
  func `a payload that is too large is rejected, and the link stays up`(
    _ kind: BusStage.Kind
  ) async throws {
    let stage = try await BusStage(kind)
    let ear = try await Ear(stage.second, "big")
    try await stage.up()
    let most = try await stage.loop.submit { stage.first.maximumPayloadBytes }.get()
    #expect(most == 1 << 20)
    let fits = String(repeating: "a", count: most)
    let large = fits + "a"
    await #expect(throws: BusError.tooLarge) { try await stage.ask(stage.first, "big", large) }
    try await stage.publish(stage.first, [("big", large), ("big", fits)])
    #expect(await ear.next(1).map(\.utf8.count) == [most + 4])
    try await stage.end()
  }

  @Test(arguments: BusStage.Kind.available)
  func `what is no subject is not sent`(_ kind: BusStage.Kind) async throws {
    let stage = try await BusStage(kind)
    for subject in ["", ".", "a.", ".a", "a..b", "a b", "a\r\nPUB b 0", "a.*", "a.>", "é"] {
      await #expect(throws: BusError.refused("not a subject")) {
        try await stage.ask(stage.first, subject)
      }
    }
    try await stage.end()
  }
}
