public import ChartModel
public import MarketHistory
public import MarketModel

/// A range of an instrument's candles of one interval.
public struct CandlePage: Equatable, Sendable {
  /// The most candles in a page before a time.
  public static let maximumOlder = 1000

  /// Their length.
  public let interval: CandleInterval
  /// What one price unit is.
  public let priceScale: Scale
  /// What one quantity unit is.
  public let quantityScale: Scale
  /// The value of ``CandleStreamState/revision`` for this page.
  public let revision: UInt64
  /// The number of the latest tick included; 0 before the first, and for a page of the past.
  public let lastArrival: UInt64
  /// Since when all except ``gaps`` was seen, milliseconds since 1970; nil before the first tick.
  ///
  /// Nil also from a minute on if the newest candle is complete.
  public let seenSince: Int64?
  /// The state of the venue's history.
  public let status: HistoryStatus
  /// Whether there are older candles.
  public var hasOlder: Bool
  /// Oldest first, including the open one.
  public var candles: [Candle]
  /// The venue's versions of candles that differ, oldest first.
  public let contradicted: [Candle]
  /// The instrument's candles contradicted by the venue so far.
  public let mismatches: Int
  /// Gaps in time order.
  public let gaps: [SeriesGap]

  /// Creates a page.
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
  /// The newest candles, at most `limit`; O(candles).
  ///
  /// Keeps all gaps, because a receiver with older candles replaces its gaps.
  public func newest(_ limit: Int) -> CandlePage {
    guard candles.count > limit, let first = candles.suffix(limit).first else { return self }
    // An absent second means no ticks only where everything was seen.
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
