// The candles of one interval, as a chart asks for them.

public import ChartModel
public import MarketHistory
public import MarketModel

/// A stretch of an instrument's candles.
public struct CandlePage: Equatable, Sendable {
  /// The most candles that are given of the past before a time.
  public static let maximumOlder = 1000

  /// Their length.
  public let interval: CandleInterval
  /// What one price unit is.
  public let priceScale: Scale
  /// What one quantity unit is.
  public let quantityScale: Scale
  /// What ``CandleStreamState/revision`` was.
  public let revision: UInt64
  /// The number of the latest tick in them; 0 before the first, and for a page of the past.
  public let lastArrival: UInt64
  /// From when on everything was seen but for the ``gaps``, milliseconds since 1970.
  ///
  /// Nil before the first tick, and from a minute on where the newest candle is whole.
  public let seenSince: Int64?
  /// How the venue's history stands.
  public let status: HistoryStatus
  /// Whether there are candles before the first.
  public var hasOlder: Bool
  /// Oldest first, the forming one last.
  public var candles: [Candle]
  /// What the venue says where ours says something else, oldest first.
  public let contradicted: [Candle]
  /// How many candles of the instrument the venue has contradicted so far.
  public let mismatches: Int
  /// Interruptions in the order of time.
  public let gaps: [SeriesGap]

  /// Puts a page together.
  public init(
    interval: CandleInterval, priceScale: Scale, quantityScale: Scale,
    revision: UInt64, lastArrival: UInt64,
    seenSince: Int64?, status: HistoryStatus, hasOlder: Bool, candles: [Candle],
    contradicted: [Candle], mismatches: Int, gaps: [SeriesGap]
  ) {
    self.interval = interval
    self.priceScale = priceScale
    self.quantityScale = quantityScale
    self.revision = revision
    self.lastArrival = lastArrival
    self.seenSince = seenSince
    self.status = status
    self.hasOlder = hasOlder
    self.candles = candles
    self.contradicted = contradicted
    self.mismatches = mismatches
    self.gaps = gaps
  }
}

// MARK: - Newest candles

extension CandlePage {
  /// The newest candles, `limit` at most, and that there are older ones where some were left out.
  ///
  /// Gaps stay: who has older candles already would else forget theirs. O(candles).
  public func newest(_ limit: Int) -> CandlePage {
    guard candles.count > limit, let first = candles.suffix(limit).first else { return self }
    // An absent second is one without a tick only where everything was seen.
    let seenSince =
      interval.isRecorded ? self.seenSince.map { max($0, first.start) } : self.seenSince
    return CandlePage(
      interval: interval, priceScale: priceScale, quantityScale: quantityScale,
      revision: revision, lastArrival: lastArrival, seenSince: seenSince, status: status,
      hasOlder: true, candles: candles.suffix(limit),
      contradicted: contradicted.filter { $0.start >= first.start }, mismatches: mismatches,
      gaps: gaps)
  }
}
