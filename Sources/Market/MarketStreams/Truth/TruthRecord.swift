// LT2: when a screen was right today. Times are milliseconds since 1970, UTC.

public import MarketModel

/// A stretch of time at one level, up to the next stretch or to now.
public struct TruthSpan: Equatable, Sendable {
  /// When it began.
  public let since: Int64
  /// How far the book could be believed.
  public let level: TruthLevel
  /// Why, in words, where more is known than the level says.
  public let cause: String?

  /// A stretch; of a long cause the first ``TruthRecord/maximumCause`` scalars.
  public init(since: Int64, level: TruthLevel, cause: String?) {
    self.since = since
    self.level = level
    self.cause = cause.map {
      String(String.UnicodeScalarView($0.unicodeScalars.prefix(TruthRecord.maximumCause)))
    }
  }
}

/// What a day came to up to a moment.
public struct TruthDay: Equatable, Sendable {
  /// Its first millisecond; days are those of UTC.
  public let begins: Int64
  /// Up to when it has been counted.
  public fileprivate(set) var countedTo: Int64
  /// How often a book was found doubtful and fetched anew.
  public fileprivate(set) var resyncs = 0
  private var milliseconds: [TruthLevel: Int64] = [:]

  /// A day as it was counted; nil where that can't be.
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

  /// Milliseconds in which the numbers might have been wrong.
  public var inDoubt: Int64 {
    TruthLevel.allCases.filter(\.isDoubtful).reduce(0) { $0 + self[$1] }
  }

  fileprivate mutating func count(_ level: TruthLevel, to end: Int64) {
    milliseconds[level, default: 0] += max(0, end - countedTo)
    countedTo = max(countedTo, end)
  }
}

/// The levels of one instrument over time.
public struct TruthRecord: Equatable, Sendable {
  /// The most spans that are kept; the oldest go first.
  public static let maximumSpans = 400
  /// The longest cause that is kept, in Unicode scalars.
  public static let maximumCause = 120
  fileprivate static let dayMilliseconds: Int64 = 86_400_000

  /// Where the book came from: what a simulated one was worth says nothing of a real one.
  public let origin: DataOrigin
  /// Oldest first; no two neighbours of one level.
  public private(set) var spans: [TruthSpan] = []
  /// What the day of the latest note came to, up to the latest change; nil before the first.
  public private(set) var day: TruthDay?

  /// Begins without knowing anything.
  public init(origin: DataOrigin) { self.origin = origin }

  /// A record that was kept; nil where it can't be one: neighbours of one level, times that go
  /// back, or a day that was counted before its beginning.
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

  /// What the day comes to up to `now`; nil before the first note.
  public func day(at now: Int64) -> TruthDay? {
    guard day != nil else { return nil }
    var copy = self
    copy.count(to: now)
    return copy.day
  }

  /// Notes the level at a moment; a moment before the latest change counts as that.
  ///
  /// - Returns: whether anything is new; the cause of a span is that of its beginning.
  @discardableResult
  public mutating func note(_ level: TruthLevel, cause: String? = nil, at now: Int64) -> Bool {
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

  /// Counts the level that still holds, and begins a new day where one has begun.
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
