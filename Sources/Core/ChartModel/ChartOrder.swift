// The person's waiting orders and alerts as lines, and where their tags go: never over the latest
// price's, and not over each other while there is room.

public import MarketModel

/// A waiting order, as a chart draws it.
public struct ChartOrder: Hashable, Sendable {
  /// Its limit.
  public let price: Price
  /// Buy or sell.
  public let side: Side

  /// Makes an order.
  public init(price: Price, side: Side) {
    self.price = price
    self.side = side
  }
}

/// The line of a waiting order or of an alert, and its tag.
public struct OrderMark: Hashable, Sendable {
  /// The line, from the top; outside the height when the view does not reach that price.
  public var y: Float
  /// The middle of the tag, from the top, inside the height.
  public var tagY: Float
}

/// Places for tags of one height along a vertical axis.
enum TagPlaces {
  /// The middles of tags that want to stand at `wanted`, in the same order.
  ///
  /// They keep `apart` from each other, and as far as `clearance` from the middle of the one at
  /// `fixed`, on the side of it where they belong; where a side has no more room they move together
  /// at its edge. O(n²).
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
    // A side without room for one tag lends its tags to the other one.
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

  /// Puts tags, sorted from the top, between two middles: from the end that `growsUp` names on, and
  /// back from the other end as far as they went over it.
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
  /// The most orders that are drawn.
  public static let maximumOrders = 64
  /// The most alerts that are drawn.
  public static let maximumAlerts = 64
  /// The height of a tag and half of that of the latest price's label, with the space between.
  private static let tagPixels = (tag: 26.0, label: 31.0)

  /// Marks the orders and the alerts, each in their own order; O(n²) with how many there are.
  ///
  /// The tag of an order stays in sight; an alert outside of the view takes no room.
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
