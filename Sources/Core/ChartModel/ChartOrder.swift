public import MarketModel

/// A working order on a chart.
public struct ChartOrder: Hashable, Sendable {
  /// Its limit price.
  public let price: Price
  /// Buy or sell.
  public let side: Side

  /// Creates an order.
  public init(price: Price, side: Side) {
    self.price = price
    self.side = side
  }
}

/// The line and tag of a working order or an alert.
public struct OrderMark: Hashable, Sendable {
  /// The line, from the top; outside the height when its price is out of view.
  public var y: Float
  /// The middle of the tag, from the top; an order's stays inside the height.
  public var tagY: Float
}

/// Places tags of one height along a vertical axis, without covering the latest price's label.
enum TagPlaces {
  /// The middles of tags whose preferred places are `wanted`, in the same order.
  ///
  /// They keep `apart` from each other and `clearance` from the tag at `fixed`, on their side of
  /// it. Where a side is full, they overlap at its edge. O(n²).
  static func spread(
    _ wanted: [Double], apart: Double, within height: Double, fixed: Double?, clearance: Double
  ) -> [Double] {
    var places = wanted.map { min(max($0, apart / 2), max(apart / 2, height - apart / 2)) }
    var order = Array(wanted.indices)
    order.insertionSort { wanted[$0] < wanted[$1] }
    guard let fixed else {
      place(order, &places, from: apart / 2, to: height - apart / 2, apart, growsUp: false)
      return places
    }
    let middle = min(max(fixed, 0), height)
    let above = order.filter { wanted[$0] < fixed }
    let below = order.filter { wanted[$0] >= fixed }
    let (upper, lower) = (middle - clearance, middle + clearance)
    // A side without room for one tag moves its tags to the other side.
    if upper < apart / 2 {
      place(order, &places, from: lower, to: height - apart / 2, apart, growsUp: false)
    } else if lower > height - apart / 2 {
      place(order, &places, from: apart / 2, to: upper, apart, growsUp: true)
    } else {
      place(above, &places, from: apart / 2, to: upper, apart, growsUp: true)
      place(below, &places, from: lower, to: height - apart / 2, apart, growsUp: false)
    }
    return places
  }

  /// Places tags, sorted from the top: from the end given by `growsUp`, then back from the other.
  private static func place(
    _ tags: [Int], _ places: inout [Double], from top: Double, to bottom: Double, _ apart: Double,
    growsUp: Bool
  ) {
    guard !tags.isEmpty else { return }
    let room = max(0, bottom - top)
    let step = min(apart, tags.count > 1 ? room / Double(tags.count - 1) : apart)
    if growsUp {
      pushUp(tags, &places, from: bottom, step)
      pushDown(tags, &places, from: top, step)
    } else {
      pushDown(tags, &places, from: top, step)
      pushUp(tags, &places, from: bottom, step)
    }
  }

  private static func pushDown(
    _ tags: [Int], _ places: inout [Double], from top: Double, _ step: Double
  ) {
    var least = top
    for tag in tags {
      places[tag] = max(places[tag], least)
      least = places[tag] + step
    }
  }

  private static func pushUp(
    _ tags: [Int], _ places: inout [Double], from bottom: Double, _ step: Double
  ) {
    var most = bottom
    for tag in tags.reversed() {
      places[tag] = min(places[tag], most)
      most = places[tag] - step
    }
  }
}

extension ChartScene {
  /// The most orders drawn.
  public static let maximumOrders = 64
  /// The most alerts drawn.
  public static let maximumAlerts = 64
  /// A tag's height, and half a tag plus half the latest price's label with space between.
  private static let tagPixels = (tag: 26.0, label: 31.0)

  /// Marks the orders and alerts, each in their own order; O(n²).
  ///
  /// An alert out of view takes no room.
  mutating func placeLevels(_ axis: PriceAxis) {
    let orderLines = orders.prefix(ChartScene.maximumOrders).map { axis.y(of: $0.price) }
    let alertLines = alerts.prefix(ChartScene.maximumAlerts).map { axis.y(of: $0) }
    let inView = alertLines.filter { isInHeight($0) }
    let lines = orderLines + inView
    guard !lines.isEmpty || !alertLines.isEmpty else { return }
    let places = TagPlaces.spread(
      lines, apart: ChartScene.tagPixels.tag * pixelRatio, within: viewport.height,
      fixed: list.live.map { Double($0.y) },
      clearance: ChartScene.tagPixels.label * pixelRatio)
    for (line, place) in zip(orderLines, places) {
      list.orders.append(OrderMark(y: Float(line), tagY: Float(place)))
    }
    var free = places.dropFirst(orderLines.count)
    for line in alertLines {
      let place = isInHeight(line) ? free.popFirst() ?? line : line
      list.alerts.append(OrderMark(y: Float(line), tagY: Float(place)))
    }
  }

  private func isInHeight(_ y: Double) -> Bool { y >= 0 && y <= viewport.height }
}
