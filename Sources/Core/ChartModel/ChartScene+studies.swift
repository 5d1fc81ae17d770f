import MarketModel

extension ChartScene {
  /// The most gaps in a reading.
  public static let maximumBlindStretches = 64
  /// The most candles walked before the view: a day of 25 hours in seconds.
  private static let longestWalk = 90_000
  /// Space above and below a pane's values.
  private static let paneMarginPixels = 7.0

  /// O(visible candles, and earlier ones that they count).
  mutating func placeStudies(_ range: Range<Int>, _ axis: PriceAxis) {
    guard Study.allCases.contains(where: { studies.candles(of: $0) > 0 }) else { return }
    var marks = DrawList.take(&list.studies)
    let candles = series.candles.candles(of: drawn)
    var scales = paneScales
    var last = Array(repeating: -2, count: Study.allCases.count)
    walk(counting: range.lowerBound, to: range.upperBound - 1) { walk, index, isBroken in
      guard index >= range.lowerBound else { return }
      for study in Study.allCases {
        guard let units = walk.value(of: study), isDrawn(study) else { continue }
        let place = Int(study.rawValue)
        if let pane = study.pane { scales[Int(pane.rawValue)].add(units) }
        marks.append(
          StudyMark(
            x: centre(of: candles[index]),
            // A pane's scale is only known after the last value.
            y: study.pane == nil ? Float(axis.y(of: Price(units: units))) : Float(units),
            study: study,
            startsNew: isBroken || last[place] != index - 1 || walk.begins(study)))
        last[place] = index
      }
    }
    for index in marks.indices {
      guard let pane = marks[index].study.pane else { continue }
      marks[index].y = scales[Int(pane.rawValue)].y(of: Double(marks[index].y))
    }
    list.studies = marks
    for pane in studies.panes { place(pane, scales[Int(pane.rawValue)]) }
  }

  /// An empty scale for each pane, at its place if it is in use.
  private var paneScales: [PaneScale] {
    let margin = min(ChartScene.paneMarginPixels * pixelRatio, paneHeight / 4)
    return StudyPane.allCases.map { pane in
      let place = Double(studies.panes.firstIndex(of: pane) ?? 0)
      let top = viewport.height + place * paneHeight
      var scale = PaneScale(top: top, height: paneHeight, margin: margin)
      switch pane {
      case .relativeStrength: for units in [0, 10_000] as [Int64] { scale.add(units) }
      case .convergence: scale.add(0)
      case .trueRange: break
      }
      return scale
    }
  }

  private mutating func place(_ pane: StudyPane, _ scale: PaneScale) {
    guard let low = scale.low, let high = scale.high else { return }
    let bottom = Float(scale.top + scale.height)
    list.panes.append(
      PaneMark(
        top: Float(scale.top), bottom: bottom,
        zero: low <= 0 && high >= 0 ? scale.y(of: 0) : bottom, pane: pane))
    let values: [(value: Int64, hasLine: Bool)] =
      switch pane {
      case .relativeStrength: [(3000, true), (7000, true)]
      case .convergence: [(low, false), (0, true), (high, false)]
      case .trueRange: [(low, false), (high, false)]
      }
    for (value, hasLine) in values {
      list.guides.append(
        GuideMark(value: value, y: scale.y(of: Double(value)), pane: pane, hasLine: hasLine))
    }
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
    let settling = studies.settling(of: study)
    let isOfWindow = settling == nil && study != .volumeWeighted
    let window = isOfWindow ? min(counted, studies.candles(of: study)) : counted
    let first = max(0, index - max(1, window) + 1)
    let known = blind(from: first, to: index)
    let isSettled = settling.map { counted >= $0 } ?? false
    return StudyReading(
      value: value.map { Price(units: $0) }, since: isSettled ? nil : candles[first].start,
      candles: window, needed: studies.candles(of: study),
      blind: study == .volumeWeighted ? known.stretches : [], missing: known.missing)
  }

  /// VWAP restarts each day, so it needs candles shorter than a day.
  private func isDrawn(_ study: Study) -> Bool {
    study != .volumeWeighted || drawn.milliseconds < CandleInterval.day.milliseconds
  }

  private func walk(counting first: Int, to last: Int, _ body: (StudyWalk, Int, Bool) -> Void) {
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
    var first = visible
    for study in Study.allCases {
      first = min(first, visible - (studies.settling(of: study) ?? studies.candles(of: study)))
    }
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

/// The vertical scale of a pane, in pixels, which fits the values that were added.
private struct PaneScale {
  let top: Double
  let height: Double
  let margin: Double
  private(set) var low: Int64?
  private(set) var high: Int64?

  init(top: Double, height: Double, margin: Double) {
    (self.top, self.height, self.margin) = (top, height, margin)
  }

  mutating func add(_ units: Int64) {
    low = min(low ?? units, units)
    high = max(high ?? units, units)
  }

  /// The middle if all values are equal.
  func y(of value: Double) -> Float {
    guard let low, let high, low < high else { return Float(top + height / 2) }
    let share = (value - Double(low)) / (Double(high) - Double(low))
    return Float(top + height - margin - share * (height - 2 * margin))
  }
}
