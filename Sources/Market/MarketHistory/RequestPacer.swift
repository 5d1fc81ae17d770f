public import MarketModel

/// Queues calls to one venue in order and limits their rate.
///
/// A token bucket of 3 that refills by 1 a second, with a pause after a rate limit. The host takes
/// calls with ``next(at:)`` and reports the end of each with ``finish(wasLimited:at:)``.
public struct RequestPacer<Call: Hashable & Sendable>: Sendable {
  /// The most waiting calls.
  public static var maximumWaiting: Int { 256 }
  static var burst: Int64 { 3 }
  static var periodMilliseconds: Int64 { 1000 }
  /// The first pause, in milliseconds; doubles each time.
  static var shortestPause: Int64 { 5000 }
  /// In milliseconds.
  static var longestPause: Int64 { 60_000 }

  /// The most waiting low-priority calls.
  public static var maximumPatient: Int { 200 }

  /// The waiting calls, the next one first.
  public private(set) var waiting: [Call] = []
  /// Low-priority calls, the next one last: the latest request is the most visible.
  public private(set) var patient: [Call] = []

  /// The bucket's level at ``filledAt``, in milliseconds of refill.
  private var level = RequestPacer.burst * RequestPacer.periodMilliseconds
  private var filledAt: MonotonicTime?
  private var pausedUntil: MonotonicTime?
  private var pause = RequestPacer.shortestPause

  /// Starts with a full bucket.
  public init() {}

  /// Appends a call; a waiting one keeps its place, false if full.
  @discardableResult
  public mutating func add(_ call: Call) -> Bool {
    if waiting.contains(call) { return true }
    guard waiting.count < Self.maximumWaiting else { return false }
    waiting.append(call)
    return true
  }

  /// Puts a call first.
  public mutating func addFirst(_ call: Call) {
    waiting.removeAll { $0 == call }
    waiting.insert(call, at: 0)
  }

  /// Moves a low-priority call to the front; returns the oldest if it was dropped.
  public mutating func addPatient(_ call: Call) -> Call? {
    patient.removeAll { $0 == call }
    patient.append(call)
    return patient.count > Self.maximumPatient ? patient.removeFirst() : nil
  }

  /// Removes normal calls.
  public mutating func remove(where isUnwanted: (Call) -> Bool) {
    waiting.removeAll(where: isUnwanted)
  }

  /// Removes calls of both priorities, and returns them.
  public mutating func takeAll(where isTaken: (Call) -> Bool) -> [Call] {
    defer {
      waiting.removeAll(where: isTaken)
      patient.removeAll(where: isTaken)
    }
    return (waiting + patient).filter(isTaken)
  }

  /// Takes the call that is allowed now; nil if none is.
  public mutating func next(at now: MonotonicTime) -> Call? {
    guard milliseconds(untilNextAt: now) == 0 else { return nil }
    fill(at: now)
    level -= Self.periodMilliseconds
    return waiting.removeFirst()
  }

  /// Takes a low-priority call from a full bucket with no other waiting, so that two may follow.
  public mutating func nextPatient(at now: MonotonicTime) -> Call? {
    guard milliseconds(untilNextPatientAt: now) == 0 else { return nil }
    fill(at: now)
    level -= Self.periodMilliseconds
    return patient.removeLast()
  }

  /// Milliseconds until ``nextPatient(at:)`` returns a call; nil while none may go.
  public func milliseconds(untilNextPatientAt now: MonotonicTime) -> Int64? {
    guard waiting.isEmpty, !patient.isEmpty else { return nil }
    let paused = pausedUntil.map { max(0, $0.milliseconds(since: now)) } ?? 0
    return max(paused, Self.burst * Self.periodMilliseconds - level(at: now))
  }

  /// Milliseconds until ``next(at:)`` returns a call; nil while none waits.
  public func milliseconds(untilNextAt now: MonotonicTime) -> Int64? {
    guard !waiting.isEmpty else { return nil }
    let paused = pausedUntil.map { max(0, $0.milliseconds(since: now)) } ?? 0
    return max(paused, max(0, Self.periodMilliseconds - level(at: now)))
  }

  /// Records the end of a call; rate limits during a pause belong to earlier calls.
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
