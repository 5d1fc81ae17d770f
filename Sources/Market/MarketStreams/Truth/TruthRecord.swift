public import MarketModel

/// A time span at one level, until the next span or now; times are milliseconds since 1970, UTC.
public struct TruthSpan: Equatable, Sendable {
  /// The start.
  public let since: Int64
  /// The level.
  public let level: TruthLevel
  /// The reason, if there is more detail than the level.
  public let cause: Sentence?

  /// Creates a span; a cause of more than ``TruthRecord/maximumCause`` scalars is cut.
  public init(since: Int64, level: TruthLevel, cause: Sentence?) {
    self.since = since
    self.level = level
    self.cause = cause.map {
      let text = $0.description.unicodeScalars
      guard text.count > TruthRecord.maximumCause else { return $0 }
      let start = text.prefix(TruthRecord.maximumCause)
      return Sentence(verbatim: String(String.UnicodeScalarView(start)))
    }
  }
}

/// The totals of a UTC day up to a moment.
public struct TruthDay: Equatable, Sendable {
  /// Its first millisecond, UTC.
  public let begins: Int64
  /// The moment up to which it is counted.
  public fileprivate(set) var countedTo: Int64
  /// How often a book was in doubt and refetched.
  public fileprivate(set) var resyncs = 0
  private var milliseconds: [TruthLevel: Int64] = [:]

  /// Restores a day; nil if the values are inconsistent.
  public init?(
    begins: Int64, countedTo: Int64, resyncs: Int, milliseconds: [TruthLevel: Int64]
  ) {
    guard begins % TruthRecord.dayMilliseconds == 0, resyncs >= 0, countedTo >= begins,
      milliseconds.values.allSatisfy({ (0...(countedTo - begins)).contains($0) })
    else { return nil }
    self.begins = begins
    self.countedTo = countedTo
    self.resyncs = resyncs
    self.milliseconds = milliseconds
  }

  fileprivate init(begins: Int64) {
    self.begins = begins
    countedTo = begins
  }

  /// Milliseconds at a level.
  public subscript(level: TruthLevel) -> Int64 { milliseconds[level] ?? 0 }

  /// Milliseconds in which the displayed numbers might have been wrong.
  public var inDoubt: Int64 {
    TruthLevel.allCases.filter(\.isDoubtful).reduce(0) { $0 + self[$1] }
  }

  fileprivate mutating func count(_ level: TruthLevel, to end: Int64) {
    milliseconds[level, default: 0] += max(0, end - countedTo)
    countedTo = max(countedTo, end)
  }
}

/// The levels of one instrument over time (LT2).
public struct TruthRecord: Equatable, Sendable {
  /// The most stored spans; the oldest are dropped first.
  public static let maximumSpans = 400
  /// The longest stored cause, in Unicode scalars.
  public static let maximumCause = 120
  fileprivate static let dayMilliseconds: Int64 = 86_400_000

  /// The book's origin; a simulated record does not apply to a real book.
  public let origin: DataOrigin
  /// Oldest first; neighbours have different levels.
  public private(set) var spans: [TruthSpan] = []
  /// The totals of the latest note's day, up to the latest change; nil before the first.
  public private(set) var day: TruthDay?

  /// Creates an empty record.
  public init(origin: DataOrigin) { self.origin = origin }

  /// Restores a record; nil if the values are inconsistent.
  ///
  /// Neighbours differ in level, times never go back, and the day is counted at least to the last
  /// span.
  public init?(origin: DataOrigin, spans: [TruthSpan], day: TruthDay) {
    let neighbours = zip(spans, spans.dropFirst())
    guard let last = spans.last, spans.count <= TruthRecord.maximumSpans,
      neighbours.allSatisfy({ $0.level != $1.level && $0.since <= $1.since }),
      last.since <= day.countedTo
    else { return nil }
    self.origin = origin
    self.spans = spans
    self.day = day
  }

  /// The day's totals up to `now`; nil before the first note.
  public func day(at now: Int64) -> TruthDay? {
    guard day != nil else { return nil }
    var copy = self
    copy.count(to: now)
    return copy.day
  }

  /// Records the level at a moment, clamped to the latest change; returns whether anything changed.
  ///
  /// A span keeps its first cause.
  @discardableResult
  public mutating func note(_ level: TruthLevel, cause: Sentence? = nil, at now: Int64) -> Bool {
    let isNewDay = day.map { now >= $0.begins + TruthRecord.dayMilliseconds } ?? true
    guard isNewDay || spans.last?.level != level else { return false }
    count(to: now)
    guard spans.last?.level != level else { return true }
    let since = max(now, spans.last?.since ?? now)
    spans.append(TruthSpan(since: since, level: level, cause: cause))
    if spans.count > TruthRecord.maximumSpans {
      spans.removeFirst(spans.count - TruthRecord.maximumSpans)
    }
    if level == .resyncing { day?.resyncs += 1 }
    return true
  }

  /// Counts the current level up to `now`, and starts a new day if needed.
  public mutating func count(to now: Int64) {
    if let level = spans.last?.level { day?.count(level, to: now) }
    let begins = now - now % TruthRecord.dayMilliseconds
    guard let day else {
      self.day = TruthDay(begins: begins)
      self.day?.countedTo = now
      return
    }
    guard begins > day.begins else { return }
    self.day = TruthDay(begins: begins)
    if let level = spans.last?.level { self.day?.count(level, to: now) }
  }
}
