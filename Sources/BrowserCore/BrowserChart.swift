// A chart as the page holds it: the scene, and two records at fixed addresses that the page reads.

import ChartModel
import MarketModel

/// One chart of the page.
final class BrowserChart {
  /// The chart itself.
  var scene: ChartScene
  /// What ``publish()`` writes; the page's `chart/core.js` reads it in the same order.
  let picture = UnsafeMutablePointer<Double>.allocate(capacity: BrowserChart.pictureFields)
  /// What lies under the crosshair, as integers.
  let crosshair = UnsafeMutablePointer<Int64>.allocate(capacity: BrowserChart.crosshairFields)

  static let pictureFields = 25
  static let crosshairFields = 16

  init(interval: CandleInterval) {
    scene = BrowserChart.emptyScene(interval)
    picture.initialize(repeating: 0, count: BrowserChart.pictureFields)
    crosshair.initialize(repeating: 0, count: BrowserChart.crosshairFields)
  }

  deinit {
    picture.deallocate()
    crosshair.deallocate()
  }

  /// Forgets all candles and keeps what the person chose: size, style, zone and place.
  func reset(interval: CandleInterval) {
    let old = scene
    scene = BrowserChart.emptyScene(interval)
    scene.takePlace(of: old)
  }

  /// Writes the picture's addresses, counts and scalars.
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
  }

  /// Writes a crosshair; 0 when there is nothing under it, 1 a point, 2 a candle.
  func publish(_ hit: Crosshair?) -> Int32 {
    guard let hit else { return 0 }
    crosshair[0] = Int64(hit.x * 1024)
    crosshair[1] = hit.price.units
    crosshair[2] = hit.time
    guard let candle = hit.candle, let index = hit.index else { return 1 }
    crosshair[3] = Int64(index)
    crosshair[4] = candle.start
    crosshair[5] = candle.open.units
    crosshair[6] = candle.high.units
    crosshair[7] = candle.low.units
    crosshair[8] = candle.close.units
    crosshair[9] = candle.volume.units
    crosshair[10] = Int64((scene.axis?.y(of: candle.close) ?? 0) * 1024)
    crosshair[11] = hit.seenSince ?? 0
    crosshair[12] = Int64(candle.count)
    crosshair[13] = hit.coverage?.missing ?? 0
    crosshair[14] = Int64(candle.source.rawValue)
    crosshair[15] = Int64(candle.proof.rawValue)
    return 2
  }

  /// The list's own memory: it stays where it is until the next picture.
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
