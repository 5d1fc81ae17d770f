import MarketModel

/// Trades with consecutive IDs, `first` to `last`.
struct TradeRun: Hashable, Sendable {
  var first: Int64
  var last: Int64
  /// The time from which all trades are included, milliseconds since 1970.
  var from: Int64
  /// The end of that, exclusive.
  var until: Int64
  var lastTime: Int64
}

/// A hole in the IDs, identified by what follows it, which stays while the hole is filled.
enum TradeHole: Hashable, Sendable {
  /// The trade with an ID.
  case before(Int64)
  /// A stream that has been live since a time without a trade.
  case beforeSilence(Int64)
}

/// The received trades of one instrument, and the times when its stream was live.
///
/// IDs take precedence over clocks: a hole in them overrides the stream's presence, and consecutive
/// IDs prove that nothing was lost.
struct TradeRuns: Sendable {
  /// The most runs; the oldest are dropped first.
  static let maximumRuns = 128
  /// An old ID with a time this much later means that the venue restarted its IDs, in milliseconds.
  static let restartMilliseconds: Int64 = 1000

  /// By ID.
  private(set) var runs: [TradeRun] = []
  /// Since when the stream has been live; nil while it is not.
  private(set) var presentSince: Int64?
  /// Whether the latest run continues up to now.
  private(set) var continues = false

  /// IDs up to this one count as received.
  private var floor = Int64.min
  /// Times covered without IDs, or by IDs from before a restart.
  private var unnumbered = TimeSpans()
  /// Whether a trade arrived since the stream was last live.
  private var wasHeard = false

  func contains(_ identifier: Int64) -> Bool { containsAny(of: identifier, identifier) }

  /// Whether any of the IDs from `first` to `last` is included.
  func containsAny(of first: Int64, _ last: Int64) -> Bool {
    if first <= floor { return true }
    for run in runs.reversed() where run.first <= last { return first <= run.last }
    return false
  }

  /// The run that includes an ID; nil without one.
  func run(of identifier: Int64) -> TradeRun? {
    runs.last { $0.first <= identifier && identifier <= $0.last }
  }

  /// Whether a live trade shows that the venue restarted its IDs.
  func isRestart(_ identifier: Int64, at time: Int64) -> Bool {
    guard let newest = runs.last, identifier <= newest.last else { return false }
    return time > newest.lastTime + TradeRuns.restartMilliseconds
  }

  /// Starts a new sequence of IDs; covered times stay covered.
  mutating func restart(at clock: Int64) {
    unnumbered = spans(until: clock)
    (runs, floor, continues) = ([], .min, false)
    if presentSince != nil { presentSince = clock }
  }

  /// Inserts the IDs from `first` to `identifier`, none of which is included; returns the earliest
  /// past time whose coverage changes, nil if the run merely continues.
  mutating func insert(
    _ identifier: Int64, from first: Int64? = nil, at time: Int64, isLive: Bool
  ) -> Int64? {
    let first = first ?? identifier
    if isLive, presentSince == nil { wasHeard = true }
    var index = runs.count
    while index > 0, runs[index - 1].first > identifier { index -= 1 }
    let follows = index > 0 && runs[index - 1].last == first - 1
    let leads = index < runs.count && runs[index].first == identifier + 1
    if follows && leads { return join(index) }
    if follows { return extend(index - 1, identifier, time, isLive) }
    if leads {
      runs[index].first = first
      runs[index].from = min(runs[index].from, time + 1)
      return time
    }
    return begin(index, first, identifier, time, isLive)
  }

  /// Applies the venue's confirmation that a trade is the first after a time.
  mutating func vouch(for identifier: Int64, from time: Int64) {
    for index in runs.indices where runs[index].first == identifier {
      runs[index].from = min(runs[index].from, time)
    }
  }

  /// Applies the venue's confirmation that a span has no trades.
  mutating func vouch(_ from: Int64, _ until: Int64) { unnumbered.insert(from, until) }

  /// Applies the venue's confirmation that there is no trade after the latest.
  mutating func confirmLatest() {
    if presentSince != nil, !runs.isEmpty { continues = true }
  }

  mutating func appear(at time: Int64) {
    guard presentSince == nil else { return }
    presentSince = time
    continues = wasHeard && !runs.isEmpty
    wasHeard = false
  }

  mutating func disappear(at time: Int64) {
    guard let since = presentSince else { return }
    presentSince = nil
    wasHeard = false
    if continues, let newest = runs.indices.last {
      runs[newest].until = max(runs[newest].until, time)
    } else {
      unnumbered.insert(since, time)
    }
    continues = false
  }

  /// The times for which all trades are included.
  func spans(until clock: Int64) -> TimeSpans {
    var spans = unnumbered
    for (index, run) in runs.enumerated() {
      let isOpen = continues && index == runs.count - 1
      spans.insert(run.from, isOpen ? max(run.until, clock) : run.until)
    }
    if let presentSince, !continues { spans.insert(presentSince, clock) }
    return spans
  }

  /// The latest hole and the run before it; nil without one.
  var latestHole: (hole: TradeHole, after: TradeRun)? {
    guard let newest = runs.last else { return nil }
    if !continues { return presentSince.map { (.beforeSilence($0), newest) } }
    return runs.dropLast().last.map { (.before(newest.first), $0) }
  }

  private mutating func join(_ index: Int) -> Int64 {
    let (left, right) = (runs[index - 1], runs[index])
    runs[index - 1] = TradeRun(
      first: left.first, last: right.last, from: min(left.from, right.from),
      until: max(left.until, right.until), lastTime: max(left.lastTime, right.lastTime))
    runs.remove(at: index)
    return min(left.until, left.lastTime)
  }

  private mutating func extend(
    _ index: Int, _ identifier: Int64, _ time: Int64, _ isLive: Bool
  ) -> Int64? {
    let former = min(runs[index].until, runs[index].lastTime)
    let isNewest = index == runs.count - 1
    let merelyGoesOn = isNewest && continues
    runs[index].last = identifier
    runs[index].lastTime = max(runs[index].lastTime, time)
    runs[index].until = max(runs[index].until, time)
    if isNewest, isLive, presentSince != nil { continues = true }
    return merelyGoesOn && time >= former ? nil : min(former, time)
  }

  private mutating func begin(
    _ index: Int, _ first: Int64, _ identifier: Int64, _ time: Int64, _ isLive: Bool
  ) -> Int64 {
    var from = time + 1
    var affected = time
    if index == runs.count {
      if let former = runs.indices.last {
        runs[former].until = min(runs[former].until, runs[former].lastTime)
        affected = min(affected, runs[former].lastTime)
      }
      if isLive, let presentSince {
        // The first trade of a live stream: the stream had none before it.
        if !continues { from = min(from, presentSince) }
        continues = true
      } else {
        // The history is ahead of the stream, which has missed something.
        if continues, let since = presentSince { presentSince = max(since, time) }
        continues = false
      }
      if let former = runs.last { from = max(from, former.until + 1) }
    }
    runs.insert(
      TradeRun(
        first: first, last: identifier, from: from, until: max(from, time), lastTime: time),
      at: index)
    if runs.count > TradeRuns.maximumRuns {
      floor = runs[0].last
      unnumbered.insert(runs[0].from, runs[0].until)
      runs.removeFirst()
    }
    return affected
  }
}
