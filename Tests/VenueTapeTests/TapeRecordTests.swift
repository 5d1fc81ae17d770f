// Messages between processes read back as written, and anything else is rejected.

import MarketModel
import MarketStreams
import NIOCore
import Testing

@testable import VenueTape

@Suite struct TapeRecordTests {
  @Test func `a record is read as it was written, whatever its payload`() throws {
    for kind: TapeRecord.Kind in [.text, .binary, .stream, .opened, .closed, .more] {
      for payload in ["", "\t", "a\tb\n", "{\"channel\":\"book\"}"] {
        let longest = TapeTimes(read: TapeTimes.readBound - 1, held: TapeTimes.heldMost)
        for times in [nil, TapeTimes(read: 0, held: 0), longest] {
          let record = TapeRecord(
            epoch: .max, number: .max, kind: kind, times: times,
            payload: ByteBuffer(string: payload))
          #expect(try #require(TapeRecord(record.bytes)) == record)
          let header = record.bytes.readableBytes - payload.utf8.count
          #expect(header <= TapeRecord.maximumHeaderBytes)
        }
      }
    }
  }

  @Test(arguments: [
    "", "\t", "1 2 t", "1 2\tx", "1 2 tt\tx", "-1 2 t\tx", "1  t\tx", "1 2 x\ty",
    "99999999999999999999 1 t\tx", "1 2 t 3\tx", "0000000000000000000000001 2 t\tx",
    "1 2 t 3 -4\tx", "1 2 t -3 4\tx", "1 2 t 3 \tx", "1 2 t 3 4 5\tx", "1 2 t 3 4 \tx",
    "1 2 t 4102444800000000 0\tx", "1 2 t 0 3600000001\tx", "1 2 t 18446744073709551615 0\tx",
    "1 2 t 0 18446744073709551615\tx", "1 2 t 1.5 0\tx",
  ])
  func `what is no record is refused`(text: String) {
    #expect(TapeRecord(ByteBuffer(string: text)) == nil)
  }

  @Test func `a large payload is split and joined again`() throws {
    let payload = ByteBuffer(repeating: 7, count: 10_001)
    let pieces = TapePieces.cut(payload, .binary, maximumBytes: 1000)
    #expect(pieces.count == 11)
    var joiner = TapeJoiner()
    var whole: TapeRecord?
    for (index, piece) in pieces.enumerated() {
      let record = TapeRecord(
        epoch: 1, number: UInt64(index + 1), kind: piece.kind, payload: piece.payload)
      #expect(whole == nil)
      whole = try joiner.take(record)
    }
    #expect(whole?.payload == payload && whole?.kind == .binary)
    #expect(!joiner.isWaiting)
  }

  @Test func `a payload that never ends is refused`() throws {
    var joiner = TapeJoiner()
    let piece = TapeRecord(
      epoch: 1, number: 1, kind: .more, payload: ByteBuffer(repeating: 1, count: 4 << 20))
    for _ in 0..<4 {
      let whole = try joiner.take(piece)
      #expect(whole == nil)
    }
    #expect(throws: TapeProblem.unreadable) {
      var joiner = joiner
      _ = try joiner.take(piece)
    }
  }

  @Test func `streams are cut at their lines`() {
    var lines = StreamLines()
    let taken = ["one\ntw", "o", "\nthree\nf"].map { part in
      lines.take(ByteBuffer(string: part)).map { String(buffer: $0) }
    }
    #expect(taken == ["one\n", nil, "two\nthree\n"])
  }

  @Test func `a stream without lines is not kept for ever`() {
    var lines = StreamLines()
    let part = ByteBuffer(repeating: 65, count: StreamLines.maximumBytes)
    let taken = [lines.take(part), lines.take(part)].map { $0?.readableBytes }
    #expect(taken == [nil, 2 * StreamLines.maximumBytes])
  }

  @Test func `a pulse is read as it was written, its reason made harmless`() throws {
    let pulse = TapePulse(
      epoch: 3, number: 4, isOpen: true, phase: .live, origin: .simulated,
      roundTripMicroseconds: 250, reason: nil)
    #expect(try #require(TapePulse(pulse.bytes)) == pulse)
    for drift in [nil, ClockEstimate.Drift(perBillion: -30, within: 4)] {
      let timed = TapePulse(
        epoch: 3, number: 4, isOpen: true, phase: .live, origin: .venue,
        roundTripMicroseconds: 250,
        venueClock: ClockEstimate(
          offset: -1_500_000, within: 300, method: .pings, steps: 2, drift: drift),
        reason: nil)
      #expect(try #require(TapePulse(timed.bytes)) == timed)
    }
    let slow = TapePulse(
      epoch: 3, number: 4, isOpen: true, phase: .live, origin: .venue,
      roundTripMicroseconds: 2_300_000, delayMilliseconds: 2300, reason: nil)
    #expect(try #require(TapePulse(slow.bytes)) == slow)
    let other = TapePulse(
      epoch: 3, number: 0, isOpen: false, phase: .backingOff, origin: .venue,
      roundTripMicroseconds: nil, reason: "no\nroute\tthere")
    #expect(try #require(TapePulse(other.bytes)).reason == "no route there")
    let rejected = TapePulse(
      epoch: 3, number: 0, isOpen: false, rejectsLocation: true, phase: .backingOff,
      origin: .venue, roundTripMicroseconds: nil, reason: "Binance rejects this location.")
    #expect(try #require(TapePulse(rejected.bytes)) == rejected)
  }

  @Test(arguments: [
    "", "1 2 1 live venue - - -", "1 2 1 live venue -\t", "1 2 3 live venue - - -\t",
    "1 2 1 asleep venue - - -\t", "1 2 1 live nowhere - - -\t", "1 2 1 live venue x - -\t",
    "a 2 1 live venue - - -\t", "1 2 1 live venue - - \t", "1 2 1 live venue - - 1:2\t",
    "1 2 1 live venue - - 1:2:3:4\t", "1 2 1 live venue - - 1:-2:3\t",
    "1 2 1 live venue - - 1:2:-3\t", "1 2 1 live venue - - -9223372036854775808:2:3\t",
    "1 2 1 live venue - - 1:2:3:4:-5\t", "1 2 1 live venue - - 1:9223372036854775807:3\t",
    "1 2 1 live venue - - 1:2:3:9999999999:5\t", "1 2 1 live venue - - 1:2:3:4:5:6\t",
    "1 2 1 live venue - - 1:2:x\t", "1 2 1 live venue - x -\t", "1 2 1 live venue - 0 -\t",
    "1 2 1 live venue - -5 -\t", "1 2 1 live venue - 9223372036854775808 -\t",
    "1 2 1 live venue - -\t", "1 2 1 live venue -5 - -\t", "1 2 1 live venue - - -\tx",
    "1 2 1 live venue - - -\t[7]", "1 2 1 live venue - - -\t\"x",
  ])
  func `what is no pulse is refused`(text: String) {
    #expect(TapePulse(ByteBuffer(string: text)) == nil)
  }

  @Test func `a reader's time is read as it was written, and nothing else is`() throws {
    let reply = ReaderTimeReply(
      epoch: 9, got: Timestamp(nanoseconds: 17), answered: Timestamp(nanoseconds: 18))
    #expect(try #require(ReaderTimeReply(reply.bytes)) == reply)
    for text in ["", "1 2", "1 2 3 4", "1 2 x", "-1 2 3", "1 2 9223372036854775808"] {
      #expect(ReaderTimeReply(ByteBuffer(string: text)) == nil, "\(text)")
    }
  }

  @Test func `a reader's clock continues as it was set, and a duration is never zero`() {
    let clock = ReaderClock(
      setBy: ClockReading(
        monotonic: MonotonicTime(nanoseconds: 5_000_000_001),
        wall: Timestamp(nanoseconds: 1_790_000_000_000_000_000)))
    let times = clock.times(
      read: MonotonicTime(nanoseconds: 6_000_000_500),
      published: MonotonicTime(nanoseconds: 6_000_000_502))
    #expect(times == TapeTimes(read: 1_790_000_001_000_000, held: 1))
    let dead = ReaderClock(
      setBy: ClockReading(
        monotonic: MonotonicTime(nanoseconds: 0), wall: Timestamp(nanoseconds: -5_000)))
    let none = dead.times(
      read: MonotonicTime(nanoseconds: 1), published: MonotonicTime(nanoseconds: 2))
    #expect(none == nil)
  }

  @Test func `subscriptions read back as written, without grouping`() throws {
    let name = try #require(ServerName("s1"))
    let wants = TapeWants(
      server: name, isWhole: true,
      streams: [MarketKey.bitcoin.subscription, MarketKey.contractTrades.subscription, .listing])
    #expect(try #require(TapeWants(wants.bytes)) == wants)
    let none = TapeWants(server: name, streams: [])
    #expect(try #require(TapeWants(none.bytes)) == none)
  }

  @Test(arguments: [
    "", "s1", "s1 2", "s.1 0", "s1 0\nbook", "s1 0\nbook A B", "s1 0\npage A", "s1 0\n",
    "> 0", "s1 0\nbook \u{7f}",
  ])
  func `malformed subscriptions are rejected`(text: String) {
    #expect(TapeWants(ByteBuffer(string: text)) == nil)
  }

  @Test func `servers' subscriptions are merged, and expire when not repeated`() throws {
    var board = WantBoard()
    let (one, two) = (try #require(ServerName("one")), try #require(ServerName("two")))
    let start = MonotonicTime(nanoseconds: 0)
    let (bitcoin, ether) = (MarketKey.bitcoin.subscription, MarketKey.ether.subscription)
    let first = board.receive(TapeWants(server: one, streams: [bitcoin]), at: start)
    #expect(first == WantBoard.Outcome(isChanged: true))
    let later = start.adding(milliseconds: 5000)
    #expect(board.receive(TapeWants(server: two, streams: [bitcoin, ether]), at: later).isChanged)
    #expect(board.receive(TapeWants(server: two, streams: [bitcoin, ether]), at: later) == .init())
    #expect(board.streams == [bitcoin, ether])
    let ended = [14_999, 15_000].map { board.expire(at: start.adding(milliseconds: $0)) }
    #expect(ended == [false, false], "the other one wants it still")
    #expect(board.receive(TapeWants(server: two, streams: [ether]), at: later).isChanged)
    #expect(board.streams == [ether])
    let hasEnded = board.expire(at: start.adding(milliseconds: 20_000))
    #expect(hasEnded)
    #expect(board.streams.isEmpty)
  }

  private func streams(_ numbers: Range<Int>) -> Set<Subscription> {
    Set(numbers.map { Subscription(.quote, Symbol("S\($0)") ?? Symbol(known: "X")) })
  }

  @Test func `servers, the streams of each and their sum are bounded`() {
    let now = MonotonicTime(nanoseconds: 0)
    var board = WantBoard()
    for number in 0..<(WantBoard.maximumServers + 10) {
      let outcome = board.receive(
        TapeWants(
          server: ServerName(random: UInt64(number)), streams: streams(number..<number + 1)),
        at: now)
      #expect(outcome.refused == (number < WantBoard.maximumServers ? 0 : 1))
    }
    #expect(board.streams.count == WantBoard.maximumServers)

    board = WantBoard()
    var refused = 0
    for number in 0..<4 {
      let wants = TapeWants(
        server: ServerName(random: UInt64(number)),
        streams: streams(number * 1000..<(number + 1) * 1000))
      refused += board.receive(wants, at: now).refused
    }
    #expect(board.streams.count == WantBoard.maximumStreams)
    #expect(refused == 4000 - WantBoard.maximumStreams)
    // Others' subscriptions are not rejected, and freed places are reused.
    let last = ServerName(random: 3)
    #expect(board.receive(TapeWants(server: last, streams: streams(0..<1000)), at: now) == .init())
    let first = ServerName(random: 0)
    #expect(!board.receive(TapeWants(server: first, streams: []), at: now).isChanged)
    #expect(board.receive(TapeWants(server: last, streams: []), at: now).isChanged)
    let more = board.receive(TapeWants(server: first, streams: streams(9000..<9100)), at: now)
    #expect(more == WantBoard.Outcome(isChanged: true))
  }

  @Test func `a server names at most so many streams, and a longer list is refused`() throws {
    let name = ServerName(random: 1)
    let many = streams(0..<TapeWants.maximumStreams + 500)
    let wants = TapeWants(server: name, streams: many)
    #expect(wants.streams.count == TapeWants.maximumStreams)
    #expect(try #require(TapeWants(wants.bytes)) == wants)
    var longer = wants.bytes
    longer.writeString("\nquote MORE")
    #expect(TapeWants(longer) == nil)
    // Existing subscriptions stay; the choice of further ones is deterministic.
    let kept = streams(1200..<1300)
    let bounded = TapeWants.bounded(many, keeping: kept)
    #expect(bounded.count == TapeWants.maximumStreams && bounded.isSuperset(of: kept))
    #expect(TapeWants.bounded(many, keeping: bounded) == bounded)
    let longest = (0..<TapeWants.maximumStreams).compactMap { number in
      Symbol(String(repeating: "S", count: Symbol.maximumBytes - 4) + "\(1000 + number)")
    }
    let large = TapeWants(server: name, streams: Set(longest.map { Subscription(.listing, $0) }))
    #expect(TapeWants(large.bytes) == large)
  }

  @Test func `an answer is read as it was written`() throws {
    let reply = CheckpointReply(epoch: 9, number: 100, count: 3, hasSnapshots: true)
    #expect(try #require(CheckpointReply(reply.bytes)) == reply)
    for text in ["", "closed", "1 2 3", "1 2 -3 1", "1 2 99999999 1", "1 2 3 4"] {
      #expect(CheckpointReply(ByteBuffer(string: text)) == nil, "\(text)")
    }
  }
}
