public import MarketModel

/// Plans the survey of one venue in slow rounds of 50 markets, so that 1,400 cost the venue little.
public struct SurveyRounds: Sendable {
  /// Markets in a batch.
  public static let batchSize = 50
  /// The least time between the starts of two batches, in milliseconds.
  public static let batchMilliseconds: Int64 = 1000
  /// How long a batch waits for its figures, in milliseconds.
  public static let patienceMilliseconds: Int64 = 3000
  /// The least time between the starts of two rounds, in milliseconds.
  public static let roundMilliseconds: Int64 = 300_000
  /// The pause before markets that were missing twice are requested again, in milliseconds.
  public static let missingMilliseconds: Int64 = 30_000
  /// The pause after a lost connection, in milliseconds: too many requests may have caused it.
  public static let calmMilliseconds: Int64 = 30_000
  /// The first pause after a failed request for all figures, in milliseconds; doubles each time.
  static let shortestPause: Int64 = 60_000
  static let longestPause: Int64 = 960_000

  /// A step for the host.
  public enum Step: Equatable, Sendable {
    /// Request all figures at once, and report the end with ``SurveyRounds/finishAll(isGood:at:)``.
    case askAll
    case follow([Symbol])
    case letGo
  }

  /// Whether markets are followed for what the request for all figures lacks.
  private let followsMarkets: Bool
  private var isWatched = false
  private var isConnected = false
  /// All surveyed markets, in the venue's order.
  private var markets: [Symbol] = []
  private var queue: ArraySlice<Symbol> = []
  private var batch: [Symbol] = []
  /// Those of the batch whose figures have not come.
  private var awaited: Set<Symbol> = []
  /// Those of the round that were missing from a batch once.
  private var retried: Set<Symbol> = []
  /// Those of the round that were missing twice.
  private var missing: [Symbol] = []
  private var isFollowing = false
  private var batchBegan: MonotonicTime?
  private var roundBegan: MonotonicTime?
  private var calmUntil: MonotonicTime?
  private var isAskingAll = false
  private var askAllAt: MonotonicTime?
  private var pause = SurveyRounds.shortestPause

  /// Creates an unobserved survey; without `followsMarkets` it only requests all figures.
  public init(followsMarkets: Bool = true) { self.followsMarkets = followsMarkets }

  /// Sets whether the survey is observed.
  public mutating func watch(_ isWatched: Bool) { self.isWatched = isWatched }

  /// Sets whether the venue is connected.
  public mutating func connect(_ isConnected: Bool, at now: MonotonicTime) {
    if self.isConnected, !isConnected {
      calmUntil = now.adding(milliseconds: Self.calmMilliseconds)
    }
    self.isConnected = isConnected
  }

  /// Replaces the markets; removed ones are skipped at once, new ones join the current round.
  public mutating func list(_ markets: [Symbol]) {
    guard markets != self.markets else { return }
    if roundBegan != nil {
      let former = Set(self.markets)
      queue += markets.filter { !former.contains($0) }
    }
    self.markets = markets
    let known = Set(markets)
    queue = queue.filter(known.contains)[...]
    batch = batch.filter(known.contains)
    missing = missing.filter(known.contains)
  }

  /// Records the arrival of a market's figures.
  public mutating func take(_ market: Symbol) { awaited.remove(market) }

  /// Records the end of a request for all figures.
  public mutating func finishAll(isGood: Bool, at now: MonotonicTime) {
    guard isAskingAll else { return }
    isAskingAll = false
    askAllAt = now.adding(milliseconds: isGood ? Self.roundMilliseconds : pause)
    pause = isGood ? Self.shortestPause : min(2 * pause, Self.longestPause)
  }

  /// The steps due now; call about four times a second, and after every change.
  public mutating func steps(at now: MonotonicTime) -> [Step] {
    guard isWatched, isConnected else {
      queue = batch.filter(awaited.contains) + queue
      return letGo()
    }
    var steps: [Step] = []
    if isBatchOver(at: now) {
      // A busy venue or machine is slow: what is missing goes with the next batch, then later.
      let late = batch.filter(awaited.contains)
      missing += late.filter(retried.contains)
      queue = late.filter { retried.insert($0).inserted } + queue
      steps += letGo()
    }
    if let calmUntil, now < calmUntil { return steps }
    guard !isFollowing, !isAskingAll, !markets.isEmpty else { return steps }
    if askAllAt.map({ now >= $0 }) ?? true {
      isAskingAll = true
      return steps + [.askAll]
    }
    guard followsMarkets else { return steps }
    if let batchBegan, now.milliseconds(since: batchBegan) < Self.batchMilliseconds {
      return steps
    }
    return steps + nextBatch(at: now)
  }

  private func isBatchOver(at now: MonotonicTime) -> Bool {
    guard isFollowing, let batchBegan else { return false }
    return awaited.isEmpty
      || now.milliseconds(since: batchBegan) >= Self.patienceMilliseconds
  }

  private mutating func nextBatch(at now: MonotonicTime) -> [Step] {
    if queue.isEmpty {
      if let roundBegan, now.milliseconds(since: roundBegan) < Self.roundMilliseconds {
        guard let batchBegan, now.milliseconds(since: batchBegan) >= Self.missingMilliseconds
        else { return [] }
        queue = missing[...]
      } else {
        roundBegan = now
        queue = markets[...]
        retried = []
      }
      missing = []
      if queue.isEmpty { return [] }
    }
    batch = Array(queue.prefix(Self.batchSize))
    queue = queue.dropFirst(batch.count)
    awaited = Set(batch)
    isFollowing = true
    batchBegan = now
    return [.follow(batch)]
  }

  private mutating func letGo() -> [Step] {
    guard isFollowing else { return [] }
    isFollowing = false
    awaited = []
    return [.letGo]
  }
}
