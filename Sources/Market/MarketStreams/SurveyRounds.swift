// Asks a venue for the figures of all its markets in slow rounds: what to ask next, and when. The
// venue is asked by 50 markets at a time, each let go again, so that 1,400 markets cost it little.

public import MarketModel

/// The survey of one venue; the host performs the steps.
public struct SurveyRounds: Sendable {
  /// Markets in a batch.
  public static let batchSize = 50
  /// The least time between the beginnings of two batches, in milliseconds.
  public static let batchMilliseconds: Int64 = 1000
  /// How long a batch waits for its figures, in milliseconds.
  public static let patienceMilliseconds: Int64 = 3000
  /// The least time between the beginnings of two rounds, in milliseconds.
  public static let roundMilliseconds: Int64 = 300_000
  /// How long the venue is left alone after its connection was lost, in milliseconds: it may have
  /// been lost for asking too much.
  public static let calmMilliseconds: Int64 = 30_000
  /// The first pause after all figures at once could not be had, in milliseconds; each further one
  /// is twice as long.
  static let shortestPause: Int64 = 60_000
  /// The longest pause.
  static let longestPause: Int64 = 960_000

  /// What the host does.
  public enum Step: Equatable, Sendable {
    /// Ask for all figures at once, and say how it ended with
    /// ``SurveyRounds/finishAll(isGood:at:)``.
    case askAll
    /// Follow the figures of these markets.
    case follow([Symbol])
    /// Follow none of them any more.
    case letGo
  }

  private var isWatched = false
  private var isConnected = false
  /// All markets that are asked, in the venue's order.
  private var markets: [Symbol] = []
  /// Those that are left of the round.
  private var queue: ArraySlice<Symbol> = []
  private var batch: [Symbol] = []
  /// Those of the batch whose figures have not come.
  private var awaited: Set<Symbol> = []
  /// Those of the round that were missing from a batch once.
  private var retried: Set<Symbol> = []
  private var isFollowing = false
  private var batchBegan: MonotonicTime?
  private var roundBegan: MonotonicTime?
  private var calmUntil: MonotonicTime?
  private var isAskingAll = false
  private var askAllAt: MonotonicTime?
  private var pause = SurveyRounds.shortestPause

  /// Nobody looks, and nothing is known of the venue.
  public init() {}

  /// Somebody looks, or nobody any more.
  public mutating func watch(_ isWatched: Bool) { self.isWatched = isWatched }

  /// The venue's connection stands, or is lost.
  public mutating func connect(_ isConnected: Bool, at now: MonotonicTime) {
    if self.isConnected, !isConnected {
      calmUntil = now.adding(milliseconds: Self.calmMilliseconds)
    }
    self.isConnected = isConnected
  }

  /// The markets to ask for; what is gone is not asked for any more, what is new comes in the next
  /// round.
  public mutating func list(_ markets: [Symbol]) {
    guard markets != self.markets else { return }
    self.markets = markets
    let known = Set(markets)
    queue = queue.filter(known.contains)[...]
    batch = batch.filter(known.contains)
  }

  /// Figures of a market have come.
  public mutating func take(_ market: Symbol) { awaited.remove(market) }

  /// All figures at once were had, or were not.
  public mutating func finishAll(isGood: Bool, at now: MonotonicTime) {
    guard isAskingAll else { return }
    isAskingAll = false
    askAllAt = now.adding(milliseconds: isGood ? Self.roundMilliseconds : pause)
    pause = isGood ? Self.shortestPause : min(2 * pause, Self.longestPause)
  }

  /// What is to be done now; to be called about four times a second, and after every news.
  public mutating func steps(at now: MonotonicTime) -> [Step] {
    guard isWatched, isConnected else { return letGo() }
    var steps: [Step] = []
    if isBatchOver(at: now) {
      // A busy venue or machine is slow: what is missing goes with the next batch, once.
      queue = batch.filter { awaited.contains($0) && retried.insert($0).inserted } + queue
      steps += letGo()
    }
    if let calmUntil, now < calmUntil { return steps }
    guard !isFollowing, !isAskingAll, !markets.isEmpty else { return steps }
    if askAllAt.map({ now >= $0 }) ?? true {
      isAskingAll = true
      return steps + [.askAll]
    }
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
        return []
      }
      roundBegan = now
      queue = markets[...]
      retried = []
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
