import MarketModel

extension ChartScene {
  /// Marks the fills in view, merged by candle and side; O(fills in view), plus a sort after
  /// changes.
  mutating func placeFills(_ axis: PriceAxis) {
    sortFills()
    var marks = DrawList.take(&list.fills)
    var joined = (buy: Int?.none, sell: Int?.none)
    var span: Int64?
    var index = firstFill(notBefore: ChartScene.time(viewport.leftTime) - drawn.milliseconds)
    let right = ChartScene.time(viewport.rightTime)
    while index < sortedFills.count, sortedFills[index].time <= right {
      let fill = sortedFills[index]
      index += 1
      let start = drawn.start(of: fill.time)
      if start != span { (span, joined) = (start, (nil, nil)) }
      let known = fill.side == .buy ? joined.buy : joined.sell
      if let known {
        marks[known].count += 1
        continue
      }
      let mark = mark(of: fill, axis)
      guard mark.x >= 0, Double(mark.x) <= viewport.width else { continue }
      if fill.side == .buy { joined.buy = marks.count } else { joined.sell = marks.count }
      marks.append(mark)
    }
    list.fills = marks
  }

  private func mark(of fill: ChartFill, _ axis: PriceAxis) -> FillMark {
    let start = drawn.start(of: fill.time)
    let candles = series.candles.candles(of: drawn)
    let index = series.candles.firstIndex(notBefore: start, of: drawn)
    guard index < candles.count, candles[index].start == start else {
      let x = viewport.x(of: Double(fill.time))
      return FillMark(x: Float(x), y: Float(axis.y(of: fill.price)), count: 1, side: fill.side)
    }
    let edge = fill.side == .buy ? candles[index].low : candles[index].high
    return FillMark(
      x: centre(of: candles[index]), y: Float(axis.y(of: edge)), count: 1, side: fill.side)
  }

  private mutating func sortFills() {
    guard !fillsAreSorted else { return }
    sortedFills = fills.prefix(ChartScene.maximumFills).filter {
      $0.time.magnitude <= CandleSeries.maximumTime.magnitude
    }
    sortedFills.insertionSort { $0.time < $1.time }
    fillsAreSorted = true
  }

  private func firstFill(notBefore time: Int64) -> Int {
    var (low, high) = (0, sortedFills.count)
    while low < high {
      let middle = (low + high) / 2
      if sortedFills[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
