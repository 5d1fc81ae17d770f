import ChartModel
import MarketModel

/// A chart of the page: the scene, and two records at fixed addresses that the page reads.
final class BrowserChart {
  var scene: ChartScene
  /// What ``publish()`` writes; the page's `chart/model/core.js` reads it in the same order.
  let picture = UnsafeMutablePointer<Double>.allocate(capacity: BrowserChart.pictureFields)
  /// The result of the last query as integers: crosshair, study or drawing.
  let record = UnsafeMutablePointer<Int64>.allocate(capacity: BrowserChart.recordFields)

  static let pictureFields = 46
  static let recordFields = 20
  /// The maximum number of gaps in a study's record.
  private static let namedStretches = 3

  init(interval: CandleInterval) {
    scene = BrowserChart.emptyScene(interval)
    picture.initialize(repeating: 0, count: BrowserChart.pictureFields)
    record.initialize(repeating: 0, count: BrowserChart.recordFields)
  }

  deinit {
    picture.deallocate()
    record.deallocate()
  }

  /// Removes all candles and keeps the user's settings: size, style, zone and position.
  func reset(interval: CandleInterval) {
    let old = scene
    scene = BrowserChart.emptyScene(interval)
    scene.takePlace(of: old)
  }

  func publish() {
    let list = scene.list
    write(list.candles, at: 0)
    write(list.line, at: 2)
    write(list.gaps, at: 4)
    write(list.prices, at: 6)
    write(list.times, at: 8)
    write(list.fills, at: 10)
    picture[12] = Double(list.timeStep)
    picture[13] = list.live == nil ? 0 : 1
    picture[14] = Double(list.live?.y ?? 0)
    picture[15] = Double(list.live?.price.units ?? 0)
    picture[16] = list.live?.isUp == true ? 1 : 0
    picture[17] = Double(scene.drawn.milliseconds)
    picture[18] = Double(scene.series.candles.count(of: scene.drawn))
    picture[19] = scene.viewport.followsLive ? 1 : 0
    picture[20] = scene.viewport.leftTime
    picture[21] = scene.viewport.rightTime
    picture[22] = scene.axis == nil ? 0 : 1
    picture[23] = Double(scene.series.candles.count)
    picture[24] = Double(scene.series.candles.first?.start ?? 0)
    write(list.studies, at: 25)
    write(list.profile, at: 27)
    write(list.orders, at: 29)
    write(list.drawings, at: 31)
    picture[33] = Double(list.live?.hundredths ?? 0)
    picture[34] = Double(list.live?.closesIn ?? 0)
    picture[35] = Double(scene.axis?.scale.rawValue ?? 0)
    picture[36] = scene.range == nil ? 0 : 1
    write(list.alerts, at: 37)
    write(list.panes, at: 39)
    write(list.guides, at: 41)
    write(list.crossings, at: 43)
    picture[45] = Double(list.crossingCount)
  }

  /// Writes a crosshair; 0 for nothing, 1 for a point, 2 for a candle.
  func publish(_ hit: Crosshair?) -> Int32 {
    guard let hit else { return 0 }
    record[0] = Int64(hit.x * 1024)
    record[1] = hit.price.units
    record[2] = hit.time
    record[16] = scene.axis?.hundredths(of: hit.price) ?? 0
    guard let candle = hit.candle, let index = hit.index else { return 1 }
    record[3] = Int64(index)
    record[4] = candle.start
    record[5] = candle.open.units
    record[6] = candle.high.units
    record[7] = candle.low.units
    record[8] = candle.close.units
    record[9] = candle.volume.units
    record[10] = Int64((scene.axis?.y(of: candle.close) ?? 0) * 1024)
    record[11] = hit.seenSince ?? 0
    record[12] = Int64(candle.count)
    record[13] = hit.coverage?.missing ?? 0
    record[14] = Int64(candle.source.rawValue)
    record[15] = Int64(candle.proof.rawValue)
    return 2
  }

  /// Writes a study, over the candles with its value on a tick; 1 without a value yet, 2 with one.
  func publish(_ reading: StudyReading, of study: Study) -> Int32 {
    let value = study.pane == nil ? reading.value.map(scene.snapped) : reading.value
    record[0] = value?.units ?? 0
    record[1] = reading.since ?? 0
    record[2] = reading.since == nil ? 0 : 1
    record[3] = Int64(reading.candles)
    record[4] = reading.missing
    record[5] = Int64(reading.blind.count)
    record[12] = Int64(reading.needed)
    for (index, gap) in reading.blind.prefix(BrowserChart.namedStretches).enumerated() {
      record[6 + 2 * index] = gap.start
      record[7 + 2 * index] = gap.end
    }
    return reading.value == nil ? 1 : 2
  }

  /// Writes a drawing; 0 if it does not exist, 1 at a price, 2 between two points.
  func publishDrawing(_ index: Int) -> Int32 {
    guard scene.drawings.indices.contains(index) else { return 0 }
    let drawing = scene.drawings[index]
    record[0] = drawing.start.time
    record[1] = drawing.start.price.units
    guard let end = drawing.end else { return 1 }
    record[2] = end.time
    record[3] = end.price.units
    return 2
  }

  /// Exposes the list's own memory, which stays valid until the next picture.
  private func write<Mark>(_ marks: [Mark], at field: Int) {
    picture[field + 1] = Double(marks.count)
    marks.withUnsafeBufferPointer { buffer in
      picture[field] = Double(UInt(bitPattern: buffer.baseAddress))
    }
  }

  private static func emptyScene(_ interval: CandleInterval) -> ChartScene {
    ChartScene(
      series: CandleSeries(interval: interval),
      viewport: Viewport(
        width: 1, height: 1, rightTime: 0,
        millisecondsPerPixel: Double(interval.milliseconds) / 8))
  }
}
