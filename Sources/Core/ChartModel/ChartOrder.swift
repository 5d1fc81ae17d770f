public import MarketModel

/// A working order on a chart.
public struct ChartOrder: Hashable, Sendable {
  /// Its limit price.
  public let price: Price
  /// Buy or sell.
  public let side: Side
  /// Whether it shares no tag, as while it is being moved.
  public let isSeparate: Bool

  /// Creates an order.
  public init(price: Price, side: Side, isSeparate: Bool = false) {
    self.price = price
    self.side = side
    self.isSeparate = isSeparate
  }
}

/// The line and tag of a working order or an alert.
public struct OrderMark: Hashable, Sendable {
  /// The line, from the top; outside the height when its price is out of view.
  public var y: Float
  /// The middle of the tag, from the top; an order's stays inside the height.
  public var tagY: Float
  /// The tag's number, counted from the lowest price.
  public var tag: Int32 = 0
  /// How many orders share the tag.
  public var count: Int32 = 1
}

/// The orders that share a tag: their places in the order of prices, the lowest first.
struct SharedTag: Hashable {
  var orders: Range<Int>
  /// The lines of the first and the last.
  var first: Double
  var last: Double
  var isSeparate: Bool

  var middle: Double { (first + last) / 2 }

  mutating func append(_ next: SharedTag) {
    orders = orders.lowerBound..<next.orders.upperBound
    last = next.last
  }

  /// Joins tags until the rest fit into a height without covering each other.
  ///
  /// `lines` descend. Those above the height share a tag, and those below it; others do where
  /// their tags would cover each other. `taken` lines need room for tags of their own. O(n + k²)
  /// for k tags.
  static func joined(
    _ lines: [Double], isSeparate: (Int) -> Bool, taken: [Double], room: TagRoom
  ) -> [SharedTag] {
    var tags: [SharedTag] = []
    for index in lines.indices {
      let line = lines[index]
      let tag = SharedTag(
        orders: index..<index + 1, first: line, last: line, isSeparate: isSeparate(index))
      guard let previous = tags.last, !previous.isSeparate, !tag.isSeparate,
        room.edge(of: previous.first) == room.edge(of: line),
        room.edge(of: line) != 0 || previous.first - line < room.apart
      else {
        tags.append(tag)
        continue
      }
      tags[tags.count - 1].append(tag)
    }
    while let index = tags.indexToJoin(taken: taken, room: room) {
      tags[index].append(tags[index + 1])
      tags.remove(at: index + 1)
    }
    return tags
  }
}

/// The height that tags share with the latest price's label.
struct TagRoom {
  var height: Double
  /// From the middle of a tag to that of the next.
  var apart: Double
  /// The middle of the latest price's label; nil without one.
  var fixed: Double?
  /// From the middle of the label to that of a tag.
  var clearance: Double
  /// The most tags of orders.
  var most: Int

  /// -1 for a line above the height, 1 for one below it.
  func edge(of line: Double) -> Int { line < 0 ? -1 : line > height ? 1 : 0 }

  func isAbove(_ line: Double) -> Bool { fixed.map { line < $0 } ?? false }

  /// How many tags fit above or below the label.
  func capacity(isAbove: Bool) -> Int {
    guard let fixed else { return isAbove ? 0 : count(in: height - apart) }
    let middle = min(max(fixed, 0), height)
    return count(in: (isAbove ? middle : height - middle) - clearance - apart / 2)
  }

  private func count(in room: Double) -> Int { room < 0 ? 0 : Int(room / apart) + 1 }
}

extension [SharedTag] {
  /// The first of the two neighbours to join next: the closest where there are too many; nil once
  /// all fit.
  fileprivate func indexToJoin(taken: [Double], room: TagRoom) -> Int? {
    let above = filter { room.isAbove($0.middle) }.count
    let takenAbove = taken.filter { room.isAbove($0) }.count
    let (upper, lower) = (room.capacity(isAbove: true), room.capacity(isAbove: false))
    let isFull: (Bool) -> Bool = { isAbove in
      if upper == 0 || lower == 0 { return count + taken.count > Swift.max(upper, lower) }
      return isAbove ? above + takenAbove > upper : count - above + taken.count - takenAbove > lower
    }
    let (isFullAbove, isFullBelow) = (isFull(true), isFull(false))
    guard count > room.most || isFullAbove || isFullBelow else { return nil }
    var best: (index: Int, distance: Double)?
    for index in indices.dropLast() {
      let (one, next) = (self[index], self[index + 1])
      let isAbove = room.isAbove(one.middle)
      guard !one.isSeparate, !next.isSeparate, isAbove == room.isAbove(next.middle),
        count > room.most || (isAbove ? isFullAbove : isFullBelow)
      else { continue }
      let distance = one.last - next.first
      if distance < best?.distance ?? .infinity { best = (index, distance) }
    }
    return best?.index
  }
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
  public static let maximumOrders = 1024
  /// The most alerts drawn.
  public static let maximumAlerts = 64
  /// A tag's height, and half a tag plus half the latest price's label with space between.
  private static let tagPixels = (tag: 26.0, label: 31.0)
  /// The width of an order's tag, and the share of the plot that all may cover.
  private static let tagCover = (width: 170.0, share: 0.25)

  /// Marks the orders and alerts, each in their own order; O(n) orders and O(k²) tags.
  ///
  /// An alert out of view takes no room.
  mutating func placeLevels(_ axis: PriceAxis) {
    sortOrders()
    let alertLines = alerts.prefix(ChartScene.maximumAlerts).map { axis.y(of: $0) }
    let inView = alertLines.filter { isInHeight($0) }
    guard !orders.isEmpty || !alertLines.isEmpty else { return }
    let apart = ChartScene.tagPixels.tag * pixelRatio
    let area = viewport.width * viewport.height * ChartScene.tagCover.share
    let room = TagRoom(
      height: viewport.height, apart: apart, fixed: list.live.map { Double($0.y) },
      clearance: ChartScene.tagPixels.label * pixelRatio,
      most: max(2, Int(area / (apart * ChartScene.tagCover.width * pixelRatio))))
    let tags = SharedTag.joined(
      ordersByPrice.map { axis.y(of: orders[$0].price) },
      isSeparate: { orders[ordersByPrice[$0]].isSeparate }, taken: inView, room: room)
    let places = TagPlaces.spread(
      tags.map { $0.middle } + inView, apart: apart, within: room.height, fixed: room.fixed,
      clearance: room.clearance)
    for _ in ordersByPrice { list.orders.append(OrderMark(y: 0, tagY: 0)) }
    for (number, tag) in tags.enumerated() {
      for index in tag.orders {
        let order = ordersByPrice[index]
        list.orders[order] = OrderMark(
          y: Float(axis.y(of: orders[order].price)), tagY: Float(places[number]),
          tag: Int32(number), count: Int32(tag.orders.count))
      }
    }
    var free = places.dropFirst(tags.count)
    for line in alertLines {
      let place = isInHeight(line) ? free.popFirst() ?? line : line
      list.alerts.append(OrderMark(y: Float(line), tagY: Float(place)))
    }
  }

  private mutating func sortOrders() {
    guard !ordersAreSorted else { return }
    ordersAreSorted = true
    ordersByPrice = Array(orders.indices.prefix(ChartScene.maximumOrders))
    let orders = orders
    ordersByPrice.insertionSort { orders[$0].price < orders[$1].price }
  }

  private func isInHeight(_ y: Double) -> Bool { y >= 0 && y <= viewport.height }
}
