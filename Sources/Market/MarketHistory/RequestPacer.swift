// Requests to one venue at a pace that it bears: a few at once, then one a second, and a pause when
// it says that it was too many. No call loses its place.

public import MarketModel

/// The calls that wait for a venue, in their order.
///
/// A token bucket of 3 that fills by 1 a second. The host takes calls with ``next(at:)`` and says
/// with ``finish(wasLimited:at:)`` how each ended.
public struct RequestPacer<Call: Hashable & Sendable>: Sendable {
  /// The most calls that wait.
  public static var maximumWaiting: Int { 256 }
  /// Calls that may go at once after a silence.
  static var burst: Int64 { 3 }
  /// Milliseconds after which another call may go.
  static var periodMilliseconds: Int64 { 1000 }
  /// The first pause, in milliseconds; each further one is twice as long.
  static var shortestPause: Int64 { 5000 }
  /// The longest pause, in milliseconds.
  static var longestPause: Int64 { 60_000 }

  /// The most patient calls that wait.
  public static var maximumPatient: Int { 200 }

  /// The calls that wait, the next one first.
  public private(set) var waiting: [Call] = []
  /// Calls that let all others pass, the next one last: who looks now asked last.
  public private(set) var patient: [Call] = []

  /// What the bucket holds, in milliseconds of its filling, as of ``filledAt``.
  private var level = RequestPacer.burst * RequestPacer.periodMilliseconds
  private var filledAt: MonotonicTime?
  private var pausedUntil: MonotonicTime?
  /// The pause that the next refusal brings.
  private var pause = RequestPacer.shortestPause

  /// With a full bucket.
  public init() {}

  /// Puts a call at the end; one that waits already keeps its place.
  ///
  /// False when there is no room: the call is not taken.
  @discardableResult
  public mutating func add(_ call: Call) -> Bool {
    if waiting.contains(call) { return true }
    guard waiting.count < Self.maximumWaiting else { return false }
    waiting.append(call)
    return true
  }

  /// Puts a call before all others.
  public mutating func addFirst(_ call: Call) {
    waiting.removeAll { $0 == call }
    waiting.insert(call, at: 0)
  }

  /// Takes a call that lets all others pass; one that waits already comes next again.
  ///
  /// - Returns: the call that waited longest, where it had to give way.
  public mutating func addPatient(_ call: Call) -> Call? {
    patient.removeAll { $0 == call }
    patient.append(call)
    return patient.count > Self.maximumPatient ? patient.removeFirst() : nil
  }

  /// Takes out calls that nobody wants any more; patient ones stay.
  public mutating func remove(where isUnwanted: (Call) -> Bool) {
    waiting.removeAll(where: isUnwanted)
  }

  /// Takes out calls, patient ones too, and gives them.
  public mutating func takeAll(where isTaken: (Call) -> Bool) -> [Call] {
    defer {
      waiting.removeAll(where: isTaken)
      patient.removeAll(where: isTaken)
    }
    return (waiting + patient).filter(isTaken)
  }

  /// The call that may go now; nil when there is none, or not yet.
  public mutating func next(at now: MonotonicTime) -> Call? {
    guard milliseconds(untilNextAt: now) == 0 else { return nil }
    fill(at: now)
    level -= Self.periodMilliseconds
    return waiting.removeFirst()
  }

  /// The patient call that may go now: while no other waits, and out of a full bucket, so that two
  /// calls may always follow it at once.
  public mutating func nextPatient(at now: MonotonicTime) -> Call? {
    guard milliseconds(untilNextPatientAt: now) == 0 else { return nil }
    fill(at: now)
    level -= Self.periodMilliseconds
    return patient.removeLast()
  }

  /// How long until ``nextPatient(at:)`` gives a call, in milliseconds; nil while none may go.
  public func milliseconds(untilNextPatientAt now: MonotonicTime) -> Int64? {
    guard waiting.isEmpty, !patient.isEmpty else { return nil }
    let paused = pausedUntil.map { max(0, $0.milliseconds(since: now)) } ?? 0
    return max(paused, Self.burst * Self.periodMilliseconds - level(at: now))
  }

  /// How long until ``next(at:)`` gives a call, in milliseconds; nil while none waits.
  public func milliseconds(untilNextAt now: MonotonicTime) -> Int64? {
    guard !waiting.isEmpty else { return nil }
    let paused = pausedUntil.map { max(0, $0.milliseconds(since: now)) } ?? 0
    return max(paused, max(0, Self.periodMilliseconds - level(at: now)))
  }

  /// Takes how a call ended: whether the venue said that it was one too many.
  ///
  /// Refusals during a pause belong to calls that went before it and make it no longer.
  public mutating func finish(wasLimited: Bool, at now: MonotonicTime) {
    let isPaused = pausedUntil.map { now < $0 } ?? false
    guard wasLimited else {
      if !isPaused { pause = Self.shortestPause }
      return
    }
    guard !isPaused else { return }
    pausedUntil = now.adding(milliseconds: pause)
    pause = min(pause * 2, Self.longestPause)
    fill(at: now)
    level = min(level, Self.periodMilliseconds)
  }

  private func level(at now: MonotonicTime) -> Int64 {
    guard let filledAt else { return level }
    let gained = max(0, now.milliseconds(since: filledAt))
    return min(Self.burst * Self.periodMilliseconds, level + min(gained, 1_000_000))
  }

  private mutating func fill(at now: MonotonicTime) {
    level = level(at: now)
    filledAt = max(filledAt ?? now, now)
  }
}
