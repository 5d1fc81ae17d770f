// Which trades are known, by their numbers, and so for which times all of them are.

import MarketModel

/// Trades whose numbers follow each other without a hole.
struct TradeRun: Hashable, Sendable {
  /// The number of the first.
  var first: Int64
  /// The number of the last.
  var last: Int64
  /// From when on all trades are known, milliseconds since 1970.
  var from: Int64
  /// Until when, exclusive.
  var until: Int64
  /// The time of the last.
  var lastTime: Int64
}

/// What follows a hole in the numbers, by which it is known however much of it is filled.
enum TradeHole: Hashable, Sendable {
  /// The trade with a number.
  case before(Int64)
  /// A stream that has been sound since a time, and has brought nothing.
  case beforeSilence(Int64)
}

/// The known trades of one instrument, and when its stream could be heard.
///
/// Numbers are believed before clocks: a hole in them takes back what the stream's presence seemed
/// to vouch for, and numbers that go on prove that an interruption cost nothing.
struct TradeRuns: Sendable {
  /// The most runs; the oldest go first.
  static let maximumRuns = 128
  /// A number that was there before counts as a new beginning of the numbers when its time is this
  /// much later, in milliseconds.
  static let restartMilliseconds: Int64 = 1000

  /// By number.
  private(set) var runs: [TradeRun] = []
  /// Since when the stream has been sound; nil while it is not.
  private(set) var presentSince: Int64?
  /// Whether the latest run goes on to this moment.
  private(set) var continues = false

  /// Numbers up to this one are known.
  private var floor = Int64.min
  /// What is vouched for without numbers, or by those of an earlier count.
  private var unnumbered = TimeSpans()
  /// Whether a trade came since the stream was last sound.
  private var wasHeard = false

  /// Whether a trade was taken before.
  func contains(_ identifier: Int64) -> Bool {
    if identifier <= floor { return true }
    for run in runs.reversed() where run.first <= identifier { return identifier <= run.last }
    return false
  }

  /// Whether a live trade says that the venue counts anew.
  func isRestart(_ identifier: Int64, at time: Int64) -> Bool {
    guard let newest = runs.last, identifier <= newest.last else { return false }
    return time > newest.lastTime + TradeRuns.restartMilliseconds
  }

  /// Starts with new numbers; what was known stays so.
  mutating func restart(at clock: Int64) {
    unnumbered = spans(until: clock)
    (runs, floor, continues) = ([], .min, false)
    if presentSince != nil { presentSince = clock }
  }

  /// Takes a trade that was not taken before.
  ///
  /// Returns the earliest time of the past for which it changes what is known; nil when it merely
  /// goes on.
  mutating func insert(_ identifier: Int64, at time: Int64, isLive: Bool) -> Int64? {
    if isLive, presentSince == nil { wasHeard = true }
    var index = runs.count
    while index > 0, runs[index - 1].first > identifier { index -= 1 }
    let follows = index > 0 && runs[index - 1].last == identifier - 1
    let leads = index < runs.count && runs[index].first == identifier + 1
    if follows && leads { return join(index) }
    if follows { return extend(index - 1, identifier, time, isLive) }
    if leads {
      runs[index].first = identifier
      runs[index].from = min(runs[index].from, time + 1)
      return time
    }
    return begin(index, identifier, time, isLive)
  }

  /// Takes the venue's word that a trade is the first one after a time.
  mutating func vouch(for identifier: Int64, from time: Int64) {
    for index in runs.indices where runs[index].first == identifier {
      runs[index].from = min(runs[index].from, time)
    }
  }

  /// Takes the venue's word that nobody traded in a stretch.
  mutating func vouch(_ from: Int64, _ until: Int64) { unnumbered.insert(from, until) }

  /// Takes the venue's word that there is no later trade than the latest known one.
  mutating func confirmLatest() {
    if presentSince != nil, !runs.isEmpty { continues = true }
  }

  /// The stream is sound, from a time on.
  mutating func appear(at time: Int64) {
    guard presentSince == nil else { return }
    presentSince = time
    continues = wasHeard && !runs.isEmpty
    wasHeard = false
  }

  /// The stream was last heard at a time.
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

  /// The times of which all trades are known.
  func spans(until clock: Int64) -> TimeSpans {
    var spans = unnumbered
    for (index, run) in runs.enumerated() {
      let isOpen = continues && index == runs.count - 1
      spans.insert(run.from, isOpen ? max(run.until, clock) : run.until)
    }
    if let presentSince, !continues { spans.insert(presentSince, clock) }
    return spans
  }

  /// The latest hole and the run before it; nil when there is none.
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
    _ index: Int, _ identifier: Int64, _ time: Int64, _ isLive: Bool
  ) -> Int64 {
    var from = time + 1
    var affected = time
    if index == runs.count {
      if let former = runs.indices.last {
        runs[former].until = min(runs[former].until, runs[former].lastTime)
        affected = min(affected, runs[former].lastTime)
      }
      if isLive, let presentSince {
        // The first trade of a sound stream: what was before it in the stream was nothing.
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
        first: identifier, last: identifier, from: from, until: max(from, time), lastTime: time),
      at: index)
    if runs.count > TradeRuns.maximumRuns {
      floor = runs[0].last
      unnumbered.insert(runs[0].from, runs[0].until)
      runs.removeFirst()
    }
    return affected
  }
}
