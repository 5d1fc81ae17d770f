// Bollinger Bands, RSI, MACD and ATR against NumPy, and their panes.

import Foundation
import MarketModel
import Testing

@testable import ChartModel

@Suite struct IndicatorTests {
  private static let minute: Int64 = 60_000
  private static let studies = StudyChoice(
    bands: 20, bandTenths: 25, relativeStrength: 14,
    convergence: ConvergenceLengths(fast: 12, slow: 26, signal: 9), trueRange: 14)

  private struct Fixture: Decodable {
    /// Each candle's high, low and close, in units.
    let candles: [[Int64]]
    /// By study; null before it is complete.
    let values: [String: [Double?]]
  }

  /// Written by `indicators.py` beside it.
  private static func fixture() throws -> Fixture {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "indicators.json")
    return try JSONDecoder().decode(Fixture.self, from: Data(contentsOf: file))
  }

  private static func scene(_ candles: [[Int64]], startingAt start: Int64 = 0) -> ChartScene {
    var series = CandleSeries(interval: .minute)
    for (index, candle) in candles.enumerated() {
      let (high, low, close) = (candle[0], candle[1], candle[2])
      _ = series.append(
        Candle(
          start: start + Int64(index) * minute, open: Price(units: close),
          high: Price(units: high), low: Price(units: low), close: Price(units: close),
          volume: Quantity(units: 1), source: .venue))
    }
    var scene = ChartScene(
      series: series,
      viewport: Viewport(
        width: 900, height: 400, rightTime: Double(start + Int64(candles.count) * minute),
        millisecondsPerPixel: 10_000))
    scene.resize(width: 900, height: 400, paneHeight: 90, pixelRatio: 1)
    scene.studies = studies
    scene.draw(at: 0)
    return scene
  }

  private static let names: [(String, Study)] = [
    ("upper", .upperBand), ("middle", .middleBand), ("lower", .lowerBand),
    ("rsi", .relativeStrength), ("macd", .convergence), ("signal", .signal),
    ("histogram", .histogram), ("atr", .trueRange),
  ]

  @Test func `all equal those of NumPy, and begin with the same candle`() throws {
    let fixture = try Self.fixture()
    let scene = Self.scene(fixture.candles)
    for (name, study) in Self.names {
      let expected = try #require(fixture.values[name])
      #expect(expected.count == fixture.candles.count)
      for (index, value) in expected.enumerated() {
        let reading = try #require(scene.reading(of: study, atIndex: index))
        let found = reading.value?.units
        guard let found, let value else {
          #expect((found == nil) == (value == nil), "\(name) at \(index)")
          continue
        }
        #expect(abs(Double(found) - value) <= 0.52, "\(name) \(index)")
      }
    }
  }

  @Test func `a value counts what the candles before a gap have not`() throws {
    let fixture = try Self.fixture()
    var scene = Self.scene(fixture.candles)
    let gap = Int64(60) * Self.minute
    scene.series.note(SeriesGap(start: gap - 1, end: gap))
    scene.draw(at: 0)
    let fresh = Self.scene(Array(fixture.candles[60...]), startingAt: gap)
    for (name, study) in Self.names {
      for index in 60..<fixture.candles.count {
        let found = try #require(scene.reading(of: study, atIndex: index))
        let expected = try #require(fresh.reading(of: study, atIndex: index - 60))
        #expect(found.value == expected.value, "\(name) \(index)")
        #expect(found.since == expected.since && found.needed == expected.needed, "\(name)")
      }
    }
  }

  @Test func `a window's start is stated, and no start once older candles have no weight`() {
    let candles = (0..<1500).map { index -> [Int64] in
      let close = Int64(50_000 + index % 37)
      return [close + 5, close - 5, close]
    }
    let scene = Self.scene(candles)
    #expect(scene.reading(of: .upperBand, atIndex: 100)?.since == 81 * Self.minute)
    #expect(scene.reading(of: .relativeStrength, atIndex: 100)?.since == 0)
    for (_, study) in Self.names where study.pane != nil {
      #expect(scene.reading(of: study, atIndex: 1499)?.since == nil, "\(study)")
    }
  }

  @Test func `what is drawn does not change while the view moves`() throws {
    let candles = (0..<2000).map { index -> [Int64] in
      let close = Int64(50_000 + (index * index) % 97)
      return [close + 5, close - 5, close]
    }
    var scene = Self.scene(candles)
    for pan in [0.0, 90, 400, 1500] {
      scene.pan(byPixels: pan)
      scene.draw(at: 0)
      let last = scene.visibleRange.upperBound - 1
      let whole = Self.scene(Array(candles[...last]))
      for (name, study) in Self.names {
        let expected = whole.reading(of: study, atIndex: last)?.value
        #expect(scene.reading(of: study, atIndex: last)?.value == expected, "\(name) \(pan)")
      }
    }
  }

  @Test func `each pane is below the prices, and its values are inside`() throws {
    let scene = try Self.scene(Self.fixture().candles)
    #expect(scene.list.panes.map(\.pane) == [.relativeStrength, .convergence, .trueRange])
    #expect(scene.list.panes.map(\.top) == [400, 490, 580])
    for pane in scene.list.panes {
      let marks = scene.list.studies.filter { $0.study.pane == pane.pane }
      #expect(marks.count > 20 && marks.allSatisfy { $0.y > pane.top && $0.y < pane.bottom })
      #expect(pane.zero > pane.top && pane.zero <= pane.bottom)
      let guides = scene.list.guides.filter { $0.pane == pane.pane }
      #expect(guides.count >= 2 && guides.allSatisfy { $0.y > pane.top && $0.y < pane.bottom })
      for (one, next) in zip(guides, guides.dropFirst()) {
        #expect(one.value <= next.value && one.y >= next.y)
      }
    }
    let prices = scene.list.studies.filter { $0.study.pane == nil }
    #expect(!prices.isEmpty && prices.allSatisfy { $0.y > -40 && $0.y < 440 })
  }

  @Test func `without a change the strength is in the middle, and the bands are the price`() {
    let scene = Self.scene(Array(repeating: [700, 700, 700], count: 60))
    #expect(scene.reading(of: .relativeStrength, atIndex: 59)?.value == Price(units: 5000))
    for study in [Study.upperBand, .middleBand, .lowerBand] {
      #expect(scene.reading(of: study, atIndex: 59)?.value == Price(units: 700))
    }
    for study in [Study.convergence, .signal, .histogram, .trueRange] {
      #expect(scene.reading(of: study, atIndex: 59)?.value == Price(units: 0))
    }
  }

  @Test(arguments: [30, 40, 42] as [Int64])
  func `bands of prices far apart are as exact as of near ones`(power: Int64) throws {
    let step = Int64(1) << power
    let closes = (0..<40).map { index in step + (index % 2 == 0 ? step / 2 : -step / 2) }
    let scene = Self.scene(closes.map { [$0, $0, $0] })
    // Half of the closes are above the mean and half below, each by half a step.
    let upper = try #require(scene.reading(of: .upperBand, atIndex: 39)?.value)
    let exact = Double(step) + 2.5 * Double(step) / 2
    #expect(abs(Double(upper.units) - exact) <= exact / 1e7)
  }

  @Test func `lengths that can't be are off`() {
    #expect(ConvergenceLengths(fast: 26, slow: 12, signal: 9).slow == 0)
    #expect(ConvergenceLengths(fast: 12, slow: 26, signal: 1).fast == 0)
    #expect(StudyChoice(bands: 1, relativeStrength: -3).panes.isEmpty)
    #expect(StudyChoice(bands: .max, bandTenths: .max).bandTenths == 100)
    #expect(StudyChoice(trueRange: .max).trueRange == StudyChoice.mostCandles)
  }

  @Test func `the browser's strides are those of the marks`() {
    #expect(MemoryLayout<PaneMark>.stride == 16 && MemoryLayout<GuideMark>.stride == 16)
    #expect(MemoryLayout<GuideMark>.offset(of: \.y) == 8)
    #expect(MemoryLayout<GuideMark>.offset(of: \.pane) == 12)
    #expect(MemoryLayout<GuideMark>.offset(of: \.hasLine) == 13)
    #expect(MemoryLayout<PaneMark>.offset(of: \.pane) == 12)
  }
}
