// Overlays of the candles: own fills, open orders, alerts and drawn lines.

import MarketModel
import Testing

@testable import ChartModel

@Suite struct ChartMarksTests {
  private func scene() -> ChartScene {
    var series = CandleSeries(interval: .second)
    for second in 0..<Int64(100) {
      series.add(Price(units: 1000 + second % 7), volume: Quantity(units: 1), at: second * 1000)
    }
    var scene = ChartScene(
      series: series,
      viewport: Viewport(
        width: 800, height: 400, rightTime: 100_000, millisecondsPerPixel: 125))
    scene.draw(at: 0)
    return scene
  }

  @Test func `fills are joined by candle and side, however they come and at every interval`() {
    var random = SplitMix64(seed: 3)
    var scene = scene()
    scene.fills = (0..<500).map { _ in
      ChartFill(
        time: random.below(100_000), price: Price(units: 1000),
        side: random.below(2) == 0 ? .buy : .sell)
    }
    for interval in [CandleInterval.second, .fifteenSeconds, .minute] {
      scene.show(interval, pixelsPerCandle: 8)
      scene.draw(at: 0)
      let expected = Dictionary(grouping: scene.fills) {
        "\($0.side) \(interval.start(of: $0.time))"
      }
      let visible = expected.filter { _, fills in
        let time = interval.start(of: fills[0].time) + interval.milliseconds / 2
        return (0...800).contains(scene.viewport.x(of: Double(time)))
      }
      let counts = scene.list.fills.map { Int($0.count) }.sorted()
      #expect(counts == visible.values.map(\.count).sorted(), "\(interval)")
    }
  }

  @Test func `no tag hides the latest price's or another's while there is room`() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<3000 {
      let height = 200 + Double(random.below(600))
      let count = Int(random.below(8))
      let wanted = (0..<count).map { _ in Double(random.below(1400)) - 300 }
      let fixed = random.below(5) == 0 ? nil : Double(random.below(1000)) - 100
      let places = TagPlaces.spread(wanted, apart: 20, within: height, fixed: fixed, clearance: 24)
      #expect(places.allSatisfy { $0 >= 9.99 && $0 <= height - 9.99 }, "\(wanted) \(height)")
      let middle = fixed.map { min(max($0, 0), height) }
      let above = middle.map { $0 - 24 } ?? height
      let hasRoom = Double(count) * 20 <= min(above, height - above) - 40
      if let middle, hasRoom {
        #expect(places.allSatisfy { abs($0 - middle) >= 23.99 }, "\(wanted) \(middle)")
      }
      let sorted = places.sorted()
      if hasRoom {
        for (one, next) in zip(sorted, sorted.dropFirst()) { #expect(next - one >= 19.99) }
      }
      // Tags are in the order of their lines.
      for one in wanted.indices {
        for other in wanted.indices where wanted[one] < wanted[other] {
          #expect(places[one] <= places[other] + 0.001)
        }
      }
    }
    #expect(TagPlaces.spread([], apart: 9, within: 9, fixed: 3, clearance: 9).isEmpty)
  }

  @Test func `the crossings of a level are marked once for each drawn candle, and all are counted`()
    throws
  {
    var scene = scene()
    // The price rises by 1 from 1000 to 1006 and falls back, every 7 s.
    scene.rehearsed = Price(units: 1003)
    for (interval, each) in [(CandleInterval.second, 1), (.fiveSeconds, 5), (.minute, 60)] {
      scene.show(interval, pixelsPerCandle: 8)
      scene.draw(at: 0)
      #expect(scene.list.crossingCount == 28)
      let y = Float(try #require(scene.axis).y(of: Price(units: 1003)))
      let marks = scene.list.crossings
      let crossed = Set(
        (3..<Int64(100)).filter { [0, 3].contains($0 % 7) }.map { $0 / Int64(each) })
      let places = crossed.sorted().map { start in
        Float(scene.viewport.x(of: (Double(start) + 0.5) * Double(each) * 1000))
      }
      #expect(marks.map(\.x) == places.filter { $0 >= 0 && $0 <= 800 }, "\(interval)")
      #expect(marks.allSatisfy { $0.y == y })
    }
    scene.rehearsed = nil
    scene.draw(at: 0)
    #expect(scene.list.crossings.isEmpty && scene.list.crossingCount == 0)
  }

  @Test func `an order has its line at its price, in view or not, and its tag in view`() throws {
    var scene = scene()
    scene.orders = [1003, 1006, 9, 90_000].map { ChartOrder(price: Price(units: $0), side: .buy) }
    scene.draw(at: 0)
    let axis = try #require(scene.axis)
    #expect(scene.list.orders.map(\.y) == scene.orders.map { Float(axis.y(of: $0.price)) })
    #expect(scene.list.orders.allSatisfy { $0.tagY > 0 && $0.tagY < 400 })
    scene.orders = Array(repeating: ChartOrder(price: Price(units: 5), side: .sell), count: 2000)
    scene.draw(at: 0)
    #expect(scene.list.orders.count == ChartScene.maximumOrders)
  }

  @Test func `orders out of view share a tag at their edge, and so do those of near prices`() {
    var scene = scene()
    let units: [Int64] = [9, 90_000, 1003, 10, 1006, 1003, 11]
    scene.orders = units.map { ChartOrder(price: Price(units: $0), side: .buy) }
    scene.draw(at: 0)
    let marks = scene.list.orders
    #expect(marks.map(\.count) == [3, 1, 2, 3, 1, 2, 3])
    #expect(marks.map(\.tag) == [0, 3, 1, 0, 2, 1, 0])
    #expect(Set([0, 3, 6].map { marks[$0].tagY }).count == 1)
    // One that is being moved keeps its own.
    scene.orders[2] = ChartOrder(price: Price(units: 1003), side: .buy, isSeparate: true)
    scene.draw(at: 0)
    #expect(scene.list.orders.map(\.count) == [3, 1, 1, 3, 1, 1, 3])
  }

  @Test func `no two tags cover each other, however many orders and alerts there are`() {
    var random = SplitMix64(seed: 6)
    for size in [(260.0, 180.0), (300, 240), (800, 400), (1400, 700)] {
      for _ in 0..<200 {
        var scene = scene()
        scene.resize(width: size.0, height: size.1, pixelRatio: 1)
        scene.orders = (0..<random.below(400)).map { _ in
          ChartOrder(price: Price(units: 990 + random.below(30)), side: .buy)
        }
        scene.alerts = (0..<random.below(3)).map { _ in Price(units: 1000 + random.below(7)) }
        scene.draw(at: 0)
        let height = Float(size.1)
        let alerts: [Float] = scene.list.alerts.filter { $0.y >= 0 && $0.y <= height }.map(\.tagY)
        let orders = Dictionary(grouping: scene.list.orders, by: \.tag)
        #expect(orders.values.allSatisfy { Int($0[0].count) == $0.count })
        let own: [Float] = orders.values.map { $0[0].tagY }
        // Alerts share no tags, so that a low chart may have no room for all.
        let tags = (height < 400 ? own : own + alerts).sorted()
        for (one, next) in zip(tags, tags.dropFirst()) {
          #expect(next - one > 25.9, "\(tags) in \(size)")
        }
        let most: Double = max(2, size.0 * size.1 / 4 / (26 * 170))
        #expect(Double(orders.count) <= most)
      }
    }
  }

  @Test func `an alert has its line at its price, and its tag beside those of orders`() throws {
    var scene = scene()
    scene.orders = [1003, 1004].map { ChartOrder(price: Price(units: $0), side: .buy) }
    scene.alerts = [1003, 90_000, 1003].map { Price(units: $0) }
    scene.draw(at: 0)
    let axis = try #require(scene.axis)
    #expect(scene.list.alerts.map(\.y) == scene.alerts.map { Float(axis.y(of: $0)) })
    // An invisible alert takes no space.
    #expect(scene.list.alerts[1].tagY == scene.list.alerts[1].y && scene.list.alerts[1].y < 0)
    let tags = (scene.list.orders + [scene.list.alerts[0], scene.list.alerts[2]]).map(\.tagY)
    for (one, next) in zip(tags.sorted(), tags.sorted().dropFirst()) { #expect(next - one > 25.9) }
    scene.orders = []
    scene.alerts = Array(repeating: Price(units: 5), count: 500)
    scene.draw(at: 0)
    #expect(scene.list.alerts.count == ChartScene.maximumAlerts && scene.list.orders.isEmpty)
  }

  @Test func `a drawn line is found, moved by pixels and stepped by candles and ticks`() throws {
    var scene = scene()
    scene.tick = 2
    scene.drawings = [
      ChartDrawing(start: ChartPoint(time: 50_000, price: Price(units: 1002))),
      ChartDrawing(
        start: ChartPoint(time: 20_000, price: Price(units: 1000)),
        end: ChartPoint(time: 80_000, price: Price(units: 1006))),
    ]
    scene.draw(at: 0)
    let axis = try #require(scene.axis)
    let middle = (scene.viewport.x(of: 50_000), axis.y(of: Price(units: 1003)))
    #expect(scene.drawing(atX: middle.0, y: middle.1, within: 6) == 1)
    #expect(scene.drawing(atX: 5, y: axis.y(of: Price(units: 1002)) + 3, within: 6) == 0)
    #expect(scene.drawing(atX: 5, y: 5, within: 6) == nil)
    scene.moveDrawing(
      1, .end, byX: 80, y: axis.y(of: Price(units: 1000)) - axis.y(of: Price(units: 1004)))
    #expect(scene.drawings[1].end == ChartPoint(time: 90_000, price: Price(units: 1002)))
    #expect(scene.drawings[1].start.time == 20_000)
    scene.moveDrawing(1, .whole, byX: -80, y: 0)
    #expect(scene.drawings[1].start.time == 10_000 && scene.drawings[1].end?.time == 80_000)
    scene.stepDrawing(0, .whole, candles: -2, ticks: 3)
    #expect(scene.drawings[0].start == ChartPoint(time: 48_000, price: Price(units: 1008)))
  }

  @Test func `a shape is found at its edges and a ray behind its end`() throws {
    var scene = scene()
    let start = ChartPoint(time: 20_000, price: Price(units: 1000))
    let end = ChartPoint(time: 50_000, price: Price(units: 1006))
    let middle = (time: 35_000.0, price: Price(units: 1003))
    func found(_ kind: ChartDrawing.Kind, _ time: Double, _ price: Price) throws -> Bool {
      scene.drawings = [try #require(ChartDrawing(kind, start: start, end: end))]
      scene.draw(at: 0)
      let axis = try #require(scene.axis)
      return scene.drawing(atX: scene.viewport.x(of: time), y: axis.y(of: price), within: 6) == 0
    }
    #expect(try found(.trend, 80_000, Price(units: 1012)) == false)
    #expect(try found(.ray, 80_000, Price(units: 1012)))
    #expect(try found(.ray, 5_000, Price(units: 997)) == false)
    for kind in [ChartDrawing.Kind.rectangle, .measure] {
      #expect(try found(kind, middle.time, middle.price) == false)
      #expect(try found(kind, 20_000, middle.price) && found(kind, middle.time, end.price))
    }
    #expect(try found(.retracement, 22_000, Price(units: 1003)))
    scene.tick = 2
    scene.draw(at: 0)
    let levels = scene.list.drawings.dropFirst()
    #expect(levels.map(\.level) == [0, 236, 382, 500, 618, 786, 1000])
    #expect(levels.map(\.price.units) == [1006, 1004, 1004, 1004, 1002, 1002, 1000])
    #expect(ChartDrawing(.text, start: start, end: end) == nil)
    #expect(ChartDrawing(.ray, start: start, end: nil) == nil)
  }

  @Test func `hostile drawings and movements make no picture that can't be drawn`() {
    var scene = scene()
    let extremes = [Int64.min, -1, 0, .max]
    scene.drawings = extremes.flatMap { time in
      extremes.map {
        let point = ChartPoint(time: time, price: Price(units: $0))
        return ChartDrawing(start: point, end: $0 == 0 ? nil : point)
      }
    }
    let far = ChartPoint(time: .max, price: Price(units: .max))
    let near = ChartPoint(time: .min, price: Price(units: .min))
    scene.drawings += [ChartDrawing.Kind.ray, .rectangle, .retracement].compactMap {
      ChartDrawing($0, start: near, end: far)
    }
    for index in -1..<20 {
      for part in [ChartDrawing.Part.whole, .start, .end] {
        scene.draw(at: 0)
        scene.moveDrawing(index, part, byX: 1e300, y: -1e300)
        scene.moveDrawing(index, part, byX: .nan, y: 1)
        scene.stepDrawing(index, part, candles: .max, ticks: .min)
      }
    }
    scene.draw(at: 0)
    _ = scene.drawing(atX: .nan, y: .infinity, within: .nan)
    #expect(scene.list.drawings.count == 19 + 7)
  }
}
