import MarketModel

extension ChartScene {
  /// The most gaps in a reading.
  public static let maximumBlindStretches = 64
  /// The most candles walked before the view: a day of 25 hours in seconds.
  private static let longestWalk = 90_000

  /// O(visible candles, and earlier ones that they count).
  mutating func placeStudies(_ range: Range<Int>, _ axis: PriceAxis) {
    guard Study.allCases.contains(where: { studies.candles(of: $0) > 0 }) else { return }
    var marks = DrawList.take(&list.studies)
    let candles = series.candles.candles(of: drawn)
    var last: [Int] = [-2, -2, -2]
    walk(counting: range.lowerBound, to: range.upperBound - 1) { walk, index, isBroken in
      guard index >= range.lowerBound else { return }
      for study in Study.allCases {
        guard let units = walk.value(of: study), isDrawn(study) else { continue }
        let place = Int(study.rawValue)
        marks.append(
          StudyMark(
            x: centre(of: candles[index]), y: Float(axis.y(of: Price(units: units))), study: study,
            startsNew: isBroken || last[place] != index - 1 || walk.begins(study)))
        last[place] = index
      }
    }
    list.studies = marks
  }

  /// A study's value at a drawn candle, O(candles counted); nil if not drawn or out of range.
  public func reading(of study: Study, atIndex index: Int) -> StudyReading? {
    let candles = series.candles.candles(of: drawn)
    guard studies.candles(of: study) > 0, isDrawn(study), candles.indices.contains(index)
    else { return nil }
    var value: Int64?
    var counted = 0
    walk(counting: index, to: index) { walk, at, _ in
      guard at == index else { return }
      value = walk.value(of: study)
      counted = study == .volumeWeighted ? walk.dayCount : walk.count
    }
    let window = study == .movingAverage ? min(counted, studies.movingAverage) : counted
    let first = max(0, index - max(1, window) + 1)
    let known = blind(from: first, to: index)
    let isSettled =
      study == .exponentialAverage
      && counted >= StudyWalk.settling * studies.exponentialAverage
    return StudyReading(
      value: value.map { Price(units: $0) }, since: isSettled ? nil : candles[first].start,
      candles: window,
      blind: study == .volumeWeighted ? known.stretches : [], missing: known.missing)
  }

  /// VWAP restarts each day, so it needs candles shorter than a day.
  private func isDrawn(_ study: Study) -> Bool {
    study != .volumeWeighted || drawn.milliseconds < CandleInterval.day.milliseconds
  }

  private func walk(
    counting first: Int, to last: Int, _ body: (StudyWalk, Int, Bool) -> Void
  ) {
    let candles = series.candles.candles(of: drawn)
    guard first <= last, candles.indices.contains(first), candles.indices.contains(last)
    else { return }
    var walk = StudyWalk(candles, studies)
    var dayEnd = Int64.min
    for index in firstToWalk(before: first)...last {
      let candle = candles[index]
      let beginsDay = candle.start >= dayEnd
      if beginsDay {
        // No day is longer than 25 hours, so 26 hours later is the next day.
        dayEnd = zone.startOfDay(zone.startOfDay(candle.start) + 26 * 3_600_000)
      }
      let isBroken = isBroken(before: index)
      walk.take(index, isBroken: isBroken, beginsDay: beginsDay)
      body(walk, index, isBroken)
    }
  }

  private func firstToWalk(before visible: Int) -> Int {
    let candles = series.candles.candles(of: drawn)
    var first = visible - studies.movingAverage
    first = min(first, visible - StudyWalk.settling * studies.exponentialAverage)
    if studies.hasVolumeWeighted, isDrawn(.volumeWeighted) {
      let day = zone.startOfDay(candles[visible].start)
      first = min(first, series.candles.firstIndex(notBefore: day, of: drawn))
    }
    return max(0, first, visible - ChartScene.longestWalk)
  }

  /// Whether a line breaks before a candle: after a hole, or a gap across the previous close.
  ///
  /// A gap within a candle hides no close.
  func isBroken(before index: Int) -> Bool {
    guard index > 0 else { return true }
    let candles = series.candles.candles(of: drawn)
    let end = candles[index - 1].start + drawn.milliseconds
    let start = candles[index].start
    if series.interval.isOfHistory, end < start { return true }
    return series.hasGap(endingFrom: end, startingBefore: start)
  }

  /// Missing data between two drawn candles: merged holes and gaps, and other candles' missing
  /// time.
  func blind(from first: Int, to last: Int) -> (stretches: [SeriesGap], missing: Int64) {
    let candles = series.candles.candles(of: drawn)
    guard first <= last, candles.indices.contains(first), candles.indices.contains(last)
    else { return ([], 0) }
    let (left, right) = (candles[first].start, candles[last].start + drawn.milliseconds)
    var found = series.gaps(from: left, to: right)
    var missing: Int64 = 0
    for index in first...last {
      let candle = candles[index]
      missing += Int64(candle.missing)
      guard index > first, series.interval.isOfHistory else { continue }
      let end = candles[index - 1].start + drawn.milliseconds
      if end < candle.start, found.count < 4 * ChartScene.maximumBlindStretches {
        found.append(SeriesGap(start: end, end: candle.start))
      }
    }
    found.insertionSort { $0.start < $1.start }
    var joined: [SeriesGap] = []
    for gap in found {
      if let before = joined.last, gap.start <= before.end {
        joined[joined.count - 1] = SeriesGap(start: before.start, end: max(before.end, gap.end))
      } else if joined.count < ChartScene.maximumBlindStretches {
        joined.append(gap)
      }
    }
    // The candles in a gap report it, too.
    let told = joined.isEmpty ? 0 : joined.reduce(0) { $0 + $1.end - $1.start }
    return (joined, max(0, missing - told))
  }
}

extension StudyWalk {
  fileprivate func begins(_ study: Study) -> Bool { study == .volumeWeighted && dayCount == 1 }
}
