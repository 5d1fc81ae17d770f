import MarketModel

struct SubscriptionBudget: Sendable {
  /// The maximum topics subscribed at a time.
  let topics: Int
  /// The maximum topics in one burst.
  let batch: Int
  /// Topics that may be subscribed in each second after a burst.
  let topicsPerSecond: Int64
}

/// Paces the subscriptions of a venue, across its connections.
///
/// A refusal for rate halves the batch and starts a pause, which doubles with each further refusal.
/// Both recover while the venue refuses nothing.
struct SubscriptionPacer: Sendable {
  /// The shortest and longest pause after a refusal, in milliseconds.
  static let pauses: (first: Int64, last: Int64) = (1000, 60_000)
  /// Time without a refusal after which the batch doubles, in milliseconds.
  static let recoveryMilliseconds: Int64 = 60_000

  private let budget: SubscriptionBudget
  private(set) var batch: Int
  /// Thousandths of a topic that may be subscribed now.
  private var credit: Int64
  private var countedAt: MonotonicTime?
  private var pause = SubscriptionPacer.pauses.first
  private var pausedUntil: MonotonicTime?
  private var refusedAt: MonotonicTime?

  init(_ budget: SubscriptionBudget) {
    self.budget = budget
    batch = budget.batch
    credit = Int64(budget.batch) * 1000
  }

  func isPaused(at now: MonotonicTime) -> Bool { pausedUntil.map { now < $0 } ?? false }

  mutating func available(at now: MonotonicTime) -> Int {
    if isPaused(at: now) { return 0 }
    if pausedUntil != nil {
      pausedUntil = nil
      credit = Int64(batch) * 1000
    }
    recover(at: now)
    let elapsed = countedAt.map { now.milliseconds(since: $0) } ?? 0
    countedAt = now
    credit = min(
      Int64(batch) * 1000, credit + max(0, min(elapsed, 600_000)) * budget.topicsPerSecond)
    return Int(credit / 1000)
  }

  mutating func spend(_ topics: Int) { credit -= Int64(topics) * 1000 }

  /// Handles the venue's refusal of a subscription for its rate.
  ///
  /// - Returns: false for a further refusal of the same batch.
  mutating func refuse(retryAfterSeconds: Int? = nil, at now: MonotonicTime) -> Bool {
    let wait = max(pause, Int64(retryAfterSeconds ?? 0) * 1000)
    let isNew = !isPaused(at: now)
    pausedUntil = max(pausedUntil ?? now, now.adding(milliseconds: wait))
    refusedAt = now
    guard isNew else { return false }
    batch = max(1, batch / 2)
    pause = min(2 * pause, SubscriptionPacer.pauses.last)
    return true
  }

  /// Handles a new connection: it may subscribe at once, in batches no larger than before.
  mutating func restart() {
    pausedUntil = nil
    credit = Int64(batch) * 1000
  }

  private mutating func recover(at now: MonotonicTime) {
    guard let refusedAt,
      now.milliseconds(since: refusedAt) >= SubscriptionPacer.recoveryMilliseconds + pause
    else { return }
    batch = min(2 * batch, budget.batch)
    pause = SubscriptionPacer.pauses.first
    self.refusedAt = batch < budget.batch ? now : nil
  }
}

/// Recent refetches of books, by symbol number: at most the last few of a minute.
///
/// Repeated refetches do not repair a book: the connection or this program is at fault. Each
/// refetch is a large message, so requests are spaced.
struct ResyncCounter {
  /// Resyncs of one book within a minute after which the session reconnects.
  static let limit = 3
  /// The time between a first and a second resync, in milliseconds; each later pause is longer by
  /// it.
  static let pauseMilliseconds: Int64 = 1000

  enum Advice: Equatable {
    /// Request it.
    case now
    /// Request it at this time, when ``ResyncCounter/due(at:)`` returns it.
    case later(MonotonicTime)
    /// Reconnect.
    case never
  }

  private var times: [Int: [MonotonicTime]] = [:]
  private var postponed: [Int: MonotonicTime] = [:]

  /// Records a resync of a book; ``Advice/never`` clears all records.
  mutating func advice(_ number: Int, at now: MonotonicTime) -> Advice {
    var recent = times[number, default: []]
    recent.removeAll { now.milliseconds(since: $0) > 60_000 }
    let pause = Self.pauseMilliseconds * Int64(recent.count)
    let earliest = recent.last.map { max(now, $0.adding(milliseconds: pause)) } ?? now
    recent.append(earliest)
    times[number] = recent
    guard recent.count <= Self.limit else {
      times = [:]
      postponed = [:]
      return .never
    }
    guard earliest > now else {
      // A request that is sent now is not repeated a moment later.
      postponed[number] = nil
      return .now
    }
    postponed[number] = earliest
    return .later(earliest)
  }

  /// Books whose pause is over, each returned once.
  mutating func due(at now: MonotonicTime) -> [Int] {
    let due = postponed.filter { $0.value <= now }.keys.sorted()
    for number in due { postponed[number] = nil }
    return due
  }

  /// Cancels postponed requests, because the connection is a new one.
  mutating func forgetPostponed() { postponed = [:] }

  /// Clears the records of a book that is no longer requested.
  mutating func forget(_ number: Int) {
    times[number] = nil
    postponed[number] = nil
  }
}
