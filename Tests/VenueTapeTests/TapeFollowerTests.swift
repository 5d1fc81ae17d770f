// A follower's handling of records that are missing, late, out of order or foreign.

import FeedConnections
import MarketModel
import NIOCore
import Testing

@testable import VenueTape

@Suite struct TapeFollowerTests {
  /// A follower with its effects so far, in short words.
  private final class Play {
    var follower: TapeFollower
    var now = MonotonicTime(nanoseconds: 0)
    private(set) var done: [String] = []

    init(patience: Int64 = 1000, epoch: UInt64 = 0) {
      follower = TapeFollower(
        at: MonotonicTime(nanoseconds: 0), patienceMilliseconds: patience, epoch: epoch)
    }

    func pulse(
      _ epoch: UInt64, _ number: UInt64, isOpen: Bool = true, rejects: Bool = false,
      delay: Int64? = nil, reason: Sentence? = nil
    ) {
      note(
        follower.take(
          TapePulse(
            epoch: epoch, number: number, isOpen: isOpen, rejectsLocation: rejects,
            phase: isOpen ? .live : .backingOff, origin: .simulated, roundTripMicroseconds: 7,
            delayMilliseconds: delay,
            reason: reason), at: now))
    }

    func record(
      _ epoch: UInt64, _ number: UInt64, _ text: String, _ kind: TapeRecord.Kind = .text
    ) {
      note(follower.take(Play.record(epoch, number, text, kind), at: now))
    }

    func copy(_ epoch: UInt64, _ number: UInt64, _ text: String, _ kind: TapeRecord.Kind = .text) {
      note(follower.takeCopy(Play.record(epoch, number, text, kind)))
    }

    func reply(_ epoch: UInt64, _ number: UInt64, _ count: Int) {
      note(
        follower.take(
          CheckpointReply(epoch: epoch, number: number, count: count, hasSnapshots: true),
          at: now))
    }

    func noReply() { note(follower.take(nil, at: now)) }

    func pass(_ milliseconds: Int64) {
      now = now.adding(milliseconds: milliseconds)
      note(follower.timer(at: now))
    }

    func asked() { follower.sessionAsked(at: now) }

    func look() -> [String] {
      defer { done = [] }
      return done
    }

    private static func record(
      _ epoch: UInt64, _ number: UInt64, _ text: String, _ kind: TapeRecord.Kind
    ) -> TapeRecord {
      TapeRecord(epoch: epoch, number: number, kind: kind, payload: ByteBuffer(string: text))
    }

    private func note(_ effects: [TapeFollower.Effect]) {
      done += effects.map { effect in
        switch effect {
        case .message(let record): String(buffer: record.payload)
        case .deliver(.connected): "connected"
        case .deliver(.accepted(let origin)): "accepted \(origin.map(\.rawValue) ?? "-")"
        case .deliver(.opened): "opened"
        case .deliver(.readerDelay(let delay)): "delay \(delay.map { "\($0)" } ?? "-")"
        case .deliver: "other"
        case .ask(let isWhole): isWhole ? "ask all" : "ask"
        case .sayWants: "wants"
        case .end(let problem): "end \(problem)"
        }
      }
    }
  }

  /// A follower that has joined epoch 5 after its record 10.
  private func joined() -> Play {
    let play = Play()
    play.pulse(5, 9)
    play.record(5, 10, "kept")
    play.copy(5, 10, "greeting")
    play.copy(5, 10, "snapshot")
    play.record(5, 11, "later")
    play.reply(5, 10, 2)
    return play
  }

  @Test func `it joins with the checkpoint, and continues after its record`() {
    #expect(
      joined().look() == [
        "wants", "connected", "accepted simulated", "ask all", "opened", "greeting", "snapshot",
        "later",
      ])
  }

  @Test func `a missing record ends it`() {
    let play = joined()
    _ = play.look()
    play.record(5, 12, "next")
    play.record(5, 14, "after a hole")
    play.record(5, 15, "too late")
    #expect(play.look() == ["next", "end gap"])
  }

  @Test func `a repeated record ends it`() {
    let play = joined()
    _ = play.look()
    play.record(5, 11, "again")
    #expect(play.look() == ["end gap"])
  }

  @Test func `a lost last record is found by the pulse`() {
    let play = joined()
    _ = play.look()
    play.pulse(5, 11)
    #expect(play.look() == [])
    play.pulse(5, 12)
    #expect(play.look() == ["end gap"])
  }

  @Test func `records of an earlier reader are ignored`() {
    let play = Play(epoch: 5)
    play.pulse(4, 100)
    play.record(4, 101, "old")
    #expect(play.look() == [] && play.follower.state == .waiting)
    #expect(play.follower.fenced == 1)
    play.pulse(5, 0, isOpen: false)
    play.pulse(5, 1)
    play.record(4, 102, "old")
    play.reply(5, 1, 0)
    play.record(4, 103, "old")
    play.record(5, 2, "new")
    #expect(
      play.look() == ["wants", "connected", "accepted simulated", "ask all", "opened", "new"])
    #expect(play.follower.fenced == 3)
  }

  @Test func `a broker that restarted its numbers is accepted after two leases`() {
    let play = Play(patience: 30_000, epoch: 500)
    for _ in 0..<24 {
      play.pulse(2, 0)
      play.pass(250)
    }
    #expect(play.look() == [])
    play.pulse(2, 0)
    #expect(play.look() == ["wants", "connected", "accepted simulated", "ask all"])
    // Where the later reader is received as well, the earlier one is always ignored.
    let both = Play(patience: 30_000, epoch: 5)
    both.pulse(5, 0, isOpen: false)
    for _ in 0..<50 {
      both.pulse(4, 7)
      both.pass(250)
    }
    #expect(both.follower.state == .waiting && both.look() == ["wants"])
  }

  @Test func `a later reader ends it at once, by pulse or by record`() {
    for isPulse in [true, false] {
      let play = joined()
      _ = play.look()
      if isPulse {
        play.pulse(6, 0, isOpen: false)
      } else {
        play.record(6, 1, "simulated", .opened)
      }
      #expect(play.look() == ["end changed"])
    }
  }

  @Test func `three pulses that do not come end it, within a second`() {
    let play = joined()
    _ = play.look()
    play.pass(799)
    #expect(play.look() == [])
    play.pass(1)
    #expect(play.look() == ["end silent(milliseconds: 800)"])
  }

  @Test func `without a reader it reports that, and with a waiting one the reason`() {
    let play = Play()
    play.pass(999)
    #expect(play.look() == [])
    play.pass(1)
    #expect(play.look() == ["end silent(milliseconds: 1000)"])
    let other = Play()
    other.pass(800)
    other.pulse(5, 0, isOpen: false, reason: "Kraken is temporarily unavailable.")
    other.pass(200)
    #expect(other.look() == ["wants", "end venue(Optional(Kraken is temporarily unavailable.))"])
    let rejected = Play()
    rejected.pass(800)
    rejected.pulse(5, 0, isOpen: false, rejects: true, reason: "Not here.")
    rejected.pass(200)
    #expect(rejected.look() == ["wants", "end rejected(Not here.)"])
  }

  @Test func `an incomplete or missing checkpoint is ignored`() {
    let (short, none, late) = (Play(), Play(), Play())
    for play in [short, none, late] {
      play.pulse(5, 9)
      _ = play.look()
    }
    short.copy(5, 9, "one")
    short.reply(5, 9, 2)
    #expect(short.look() == ["end noCheckpoint"])
    none.noReply()
    #expect(none.look() == ["end noCheckpoint"])
    for _ in 0..<8 {
      late.pulse(5, 9)
      late.pass(250)
    }
    #expect(late.look() == ["end noCheckpoint"])
  }

  @Test func `what the session asks for comes as a checkpoint in its place among the records`() {
    let play = joined()
    _ = play.look()
    play.pass(600)
    play.pulse(5, 11)
    play.asked()
    play.pass(0)
    #expect(play.look() == ["ask"])
    play.copy(5, 13, "snapshot")
    play.reply(5, 13, 1)
    play.record(5, 12, "twelve")
    play.record(5, 13, "thirteen")
    play.record(5, 14, "fourteen")
    #expect(play.look() == ["twelve", "thirteen", "snapshot", "fourteen"])
  }

  @Test func `an outdated checkpoint is discarded and requested again`() {
    let play = joined()
    play.pass(600)
    play.pulse(5, 11)
    play.asked()
    play.pass(0)
    play.record(5, 12, "twelve")
    _ = play.look()
    play.copy(5, 11, "old")
    play.reply(5, 11, 1)
    #expect(play.look() == [])
    play.pass(500)
    #expect(play.look() == ["ask"])
  }

  @Test func `the reader's word that the venue is gone ends it with the reason`() {
    let play = joined()
    _ = play.look()
    play.record(5, 12, #"["{0} is down.","Kraken\u202e"]"#, .closed)
    #expect(play.look() == ["end venue(Optional(Kraken is down.))"])
  }

  @Test func `a payload in pieces is delivered whole`() {
    let play = joined()
    _ = play.look()
    play.record(5, 12, "first ", .more)
    play.record(5, 13, "second ", .more)
    #expect(play.look() == [])
    play.record(5, 14, "last")
    #expect(play.look() == ["first second last"])
  }

  @Test func `a ping is answered for as long as the reader's own connection is well`() {
    let play = joined()
    #expect(play.follower.pong(at: play.now.adding(milliseconds: 799)) != nil)
    #expect(play.follower.pong(at: play.now.adding(milliseconds: 800)) == nil)
  }

  @Test func `the reader's response time is reported when it changes`() {
    let play = joined()
    _ = play.look()
    play.pulse(5, 11)
    #expect(play.look() == [])
    play.pulse(5, 11, delay: 2100)
    play.pulse(5, 11, delay: 2100)
    play.pulse(5, 11)
    play.pulse(5, 11)
    #expect(play.look() == ["delay 2100", "delay -"])
    let late = Play()
    late.pulse(5, 9, delay: 3000)
    #expect(late.look() == ["wants", "connected", "accepted simulated", "ask all", "delay 3000"])
  }

  @Test func `no order of records makes it deliver one twice or leave one out`() {
    var joined = 0
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let play = Play()
      play.pulse(5, 0)
      var isAnswered = false
      var sent: UInt64 = 0
      for _ in 0..<60 {
        switch random.below(5) {
        case 0 where !isAnswered && play.follower.state == .joining:
          play.copy(5, sent, "copy \(sent)")
          play.reply(5, sent, 1)
          isAnswered = true
        case 1: play.pulse(5, sent)
        default:
          sent += 1
          // One in twenty is lost.
          if random.below(20) == 0 { continue }
          play.record(5, sent, "\(sent)")
        }
      }
      let delivered = play.look().filter { $0.hasPrefix("copy") || UInt64($0) != nil }
      guard let first = delivered.first,
        let start = UInt64(first.dropFirst("copy ".count))
      else { continue }
      joined += 1
      let numbers = delivered.dropFirst().compactMap { UInt64($0) }
      #expect(
        numbers == Array((start + 1)..<(start + 1 + UInt64(numbers.count))), "seed \(seed)")
    }
    #expect(joined > 100, "most of them join")
  }
}
