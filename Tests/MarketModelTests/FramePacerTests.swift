// The pace of frames: at once after a quiet moment, at most one an interval, nothing lost.

import MarketModel
import Testing

@Suite struct FramePacerTests {
  private func time(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(milliseconds: milliseconds)
  }

  @Test func `a lone change goes through at once, also after a quiet interval`() {
    var pacer = FramePacer(intervalMilliseconds: 16)
    for now: Int64 in [0, 16, 40, 1000] {
      #expect(pacer.changed(at: time(now)) == .now)
      #expect(pacer.isDue(at: time(now)))
      pacer.frameSent(at: time(now))
      #expect(!pacer.isDue(at: time(now + 1000)), "nothing has changed")
    }
  }

  @Test func `of a burst the first goes through at once and the others an interval later`() {
    var pacer = FramePacer(intervalMilliseconds: 16)
    #expect(pacer.changed(at: time(100)) == .now)
    #expect(pacer.changed(at: time(100)) == .scheduled)
    pacer.frameSent(at: time(100))
    #expect(pacer.changed(at: time(101)) == .at(time(116)))
    #expect(pacer.changed(at: time(110)) == .scheduled)
    #expect(!pacer.isDue(at: time(115)))
    #expect(pacer.isDue(at: time(116)))
    pacer.frameSent(at: time(116))
    #expect(pacer.due == nil)
    #expect(pacer.changed(at: time(120)) == .at(time(132)))
  }

  @Test func `a frame that was late holds back the next one from then on`() {
    var pacer = FramePacer(intervalMilliseconds: 16)
    pacer.frameSent(at: time(100))
    _ = pacer.changed(at: time(101))
    pacer.frameSent(at: time(130))
    #expect(pacer.changed(at: time(131)) == .at(time(146)))
  }

  @Test func `a frame with nothing to show holds nothing back`() {
    var pacer = FramePacer(intervalMilliseconds: 16)
    #expect(pacer.changed(at: time(100)) == .now)
    pacer.frameSkipped()
    #expect(!pacer.isDue(at: time(101)))
    #expect(pacer.changed(at: time(101)) == .now)
  }

  @Test func `a patient change waits for company, and a hasty one takes it along`() {
    var pacer = FramePacer(intervalMilliseconds: 16)
    #expect(pacer.changed(at: time(100), patience: 1000) == .at(time(1100)))
    #expect(pacer.changed(at: time(200), patience: 1000) == .scheduled)
    #expect(!pacer.isDue(at: time(300)))
    #expect(pacer.changed(at: time(300)) == .now)
    pacer.frameSent(at: time(300))
    #expect(pacer.changed(at: time(301), patience: 5) == .at(time(316)))
  }

  @Test func `a clock that goes back holds nothing back, one that leaps ends the interval`() {
    var pacer = FramePacer(intervalMilliseconds: 16)
    pacer.frameSent(at: time(1_000_000))
    #expect(pacer.changed(at: time(500)) == .now)
    pacer.frameSent(at: time(500))
    #expect(pacer.changed(at: time(501)) == .at(time(516)))
    #expect(pacer.isDue(at: time(3)), "what waits is not left behind by a clock that goes back")
    #expect(pacer.changed(at: time(1_000_000)) == .scheduled)
    #expect(pacer.isDue(at: time(1_000_000)))
  }

  @Test(arguments: [Int64.min, -1, 0]) func `without an interval nothing waits`(interval: Int64) {
    var pacer = FramePacer(intervalMilliseconds: interval)
    for now: Int64 in [5, 5, 6] {
      #expect(pacer.changed(at: time(now)) == .now)
      pacer.frameSent(at: time(now))
    }
  }

  @Test func `an interval may change and holds from the next frame on`() {
    var pacer = FramePacer(intervalMilliseconds: 33)
    pacer.frameSent(at: time(100))
    #expect(pacer.changed(at: time(101)) == .at(time(133)))
    pacer.intervalMilliseconds = 16
    #expect(pacer.changed(at: time(102)) == .at(time(116)), "sooner than what was asked for")
    pacer.intervalMilliseconds = 1000
    #expect(pacer.changed(at: time(103)) == .scheduled)
    pacer.frameSent(at: time(116))
    #expect(pacer.changed(at: time(117)) == .at(time(1116)))
  }

  @Test func `pacers with phases fall on the same moments and keep their rate there`() {
    var moments: Set<MonotonicTime> = []
    for start: Int64 in 0..<33 {
      var pacer = FramePacer(intervalMilliseconds: 33, phases: 8)
      #expect(pacer.changed(at: time(start)) == .now)
      pacer.frameSent(at: time(start))
      guard case .at(let second) = pacer.changed(at: time(start)) else {
        Issue.record("not held at \(start)")
        continue
      }
      #expect(second.nanoseconds - start * 1_000_000 >= 33_000_000)
      #expect(second.nanoseconds - start * 1_000_000 < 33_000_000 + 33_000_000 / 8)
      moments.insert(second)
      pacer.frameSent(at: second)
      #expect(pacer.changed(at: second) == .at(second.adding(milliseconds: 33)))
    }
    #expect(moments.count <= 9)
  }

  /// A host with a timer, and the changes it receives.
  private struct Host {
    var pacer: FramePacer
    var timer: MonotonicTime?
    var latest = 0
    var frames: [(time: MonotonicTime, shown: Int)] = []

    mutating func change(_ number: Int, at now: MonotonicTime, patience: Int64) {
      latest = number
      switch pacer.changed(at: now, patience: patience) {
      case .now: frame(at: now)
      case .at(let time): timer = time
      case .scheduled: break
      }
    }

    mutating func frame(at now: MonotonicTime) {
      guard pacer.isDue(at: now) else { return }
      frames.append((now, latest))
      pacer.frameSent(at: now)
      timer = nil
    }

    /// Fires timers, some late, up to a time.
    mutating func run(to end: MonotonicTime, lateness: Int64) {
      guard let timer, timer <= end else { return }
      frame(at: min(end, MonotonicTime(nanoseconds: timer.nanoseconds + lateness)))
    }
  }

  @Test(arguments: UInt64(1)...40)
  func `never more than one an interval, and the last change is always shown`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let interval = [Int64(16), 33, 100][Int(random.below(3))]
    let phases = Int64(random.below(2)) * 8
    var host = Host(pacer: FramePacer(intervalMilliseconds: interval, phases: phases))
    var now: Int64 = 0
    var changes = 0
    for _ in 0..<2000 {
      // Bursts, steady flows and quiet moments, in nanoseconds.
      now += Int64(random.below([1000, 3_000_000, 200_000_000][Int(random.below(3))]))
      let lateness = Int64(random.below(2_000_000))
      host.run(to: MonotonicTime(nanoseconds: now), lateness: lateness)
      changes += 1
      let patience = random.below(10) == 0 ? Int64(random.below(500)) : 0
      host.change(changes, at: MonotonicTime(nanoseconds: now), patience: patience)
    }
    host.run(to: MonotonicTime(nanoseconds: now + 2_000_000_000), lateness: 0)
    #expect(host.frames.last?.shown == changes)
    #expect(host.pacer.due == nil)
    for (before, after) in zip(host.frames, host.frames.dropFirst()) {
      #expect(
        after.time.nanoseconds - before.time.nanoseconds >= interval * 1_000_000, "seed \(seed)")
    }
  }
}
