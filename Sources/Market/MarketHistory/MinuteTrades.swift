import ChartModel
import MarketModel

/// A trade in the chart's units.
struct PlacedTrade: Hashable, Sendable {
  let identifier: Int64
  /// How many consecutive IDs it covers, up to ``identifier``.
  var covered: Int64 = 1
  /// Nanoseconds since 1970.
  let nanoseconds: Int64
  let price: Price
  var quantity: Quantity

  /// The first ID that it covers.
  var first: Int64 { identifier - covered + 1 }
  var milliseconds: Int64 { Timestamp(nanoseconds: nanoseconds).milliseconds }

  /// By time, then by ID; without IDs in order of arrival.
  func isBefore(_ other: PlacedTrade) -> Bool {
    nanoseconds == other.nanoseconds
      ? identifier < other.identifier : nanoseconds < other.nanoseconds
  }
}

/// The trades of the last minutes, in time order, from which minute candles are built.
struct MinuteTrades: Sendable {
  /// Trades at which the oldest minute is dropped: ten pages of history, and more than live ones.
  static let maximumTrades = 16_000
  /// Trades of one minute at which the older half is folded into a candle.
  static let maximumInMinute = 8192

  private struct Minute {
    let start: Int64
    /// The candle of the oldest trades, if there were too many.
    var folded: Candle?
    var trades: [PlacedTrade] = []
  }

  private var minutes: [Minute] = []
  private var count = 0
  /// The start of the latest minute with dropped trades: it and earlier ones can't be rebuilt.
  private(set) var floor = Int64.min

  var oldest: Int64? { minutes.first?.start }

  /// Inserts a new trade; false if its minute can't be rebuilt.
  mutating func insert(_ trade: PlacedTrade) -> Bool {
    let start = CandleInterval.minute.start(of: trade.milliseconds)
    guard start > floor else { return false }
    var index = minutes.count
    while index > 0, minutes[index - 1].start >= start { index -= 1 }
    if index == minutes.count || minutes[index].start != start {
      minutes.insert(Minute(start: start), at: index)
    }
    var place = minutes[index].trades.count
    while place > 0, trade.isBefore(minutes[index].trades[place - 1]) { place -= 1 }
    minutes[index].trades.insert(trade, at: place)
    count += 1
    if minutes[index].trades.count >= MinuteTrades.maximumInMinute { fold(index) }
    while count > MinuteTrades.maximumTrades, minutes.count > 1 {
      letGo(through: minutes[0].start)
    }
    return true
  }

  mutating func letGo(through start: Int64) {
    floor = max(floor, start)
    while let first = minutes.first, first.start <= start {
      count -= first.trades.count
      minutes.removeFirst()
    }
  }

  func candle(_ start: Int64) -> Candle? {
    guard let minute = find(start) else { return nil }
    var candle = minute.folded
    for trade in minute.trades { MinuteTrades.add(trade, to: &candle, start) }
    return candle
  }

  func trade(_ identifier: Int64, at milliseconds: Int64) -> PlacedTrade? {
    let start = CandleInterval.minute.start(of: milliseconds)
    return find(start)?.trades.first { $0.identifier == identifier }
  }

  /// Rescales quantities to a unit smaller by `factor`.
  mutating func scaleVolumes(by factor: Int64) {
    for index in minutes.indices {
      if let volume = minutes[index].folded?.volume {
        minutes[index].folded?.volume = volume.scaled(factor)
      }
      for place in minutes[index].trades.indices {
        minutes[index].trades[place].quantity =
          minutes[index].trades[place].quantity.scaled(factor)
      }
    }
  }

  private func find(_ start: Int64) -> Minute? {
    var (low, high) = (0, minutes.count)
    while low < high {
      let middle = (low + high) / 2
      if minutes[middle].start < start { low = middle + 1 } else { high = middle }
    }
    return low < minutes.count && minutes[low].start == start ? minutes[low] : nil
  }

  private mutating func fold(_ index: Int) {
    let half = minutes[index].trades.count / 2
    for trade in minutes[index].trades[..<half] {
      MinuteTrades.add(trade, to: &minutes[index].folded, minutes[index].start)
    }
    minutes[index].trades.removeFirst(half)
    count -= half
  }

  private static func add(_ trade: PlacedTrade, to candle: inout Candle?, _ start: Int64) {
    if candle == nil {
      candle = Candle(start: start, price: trade.price, volume: trade.quantity)
    } else {
      candle?.add(trade.price, volume: trade.quantity, isLatest: true)
    }
    guard trade.covered > 1, let count = candle?.count else { return }
    candle?.count = Int32(clamping: Int64(count) + trade.covered - 1)
  }
}
