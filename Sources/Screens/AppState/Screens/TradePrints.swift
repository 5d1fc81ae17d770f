import MarketModel

/// One or more trades of one sweep: an order that took several resting ones.
struct TradePrint: Equatable {
  /// The first trade of the sweep; its number identifies the print as it grows.
  private(set) var first: Trade
  /// The last trade, at the price that the sweep reached.
  let last: Trade
  /// All trades, last first.
  private(set) var trades: [Trade]

  init(_ trade: Trade) {
    (first, last) = (trade, trade)
    trades = [trade]
  }

  /// The total size; `Int64.max` on overflow.
  var size: Quantity { Quantity(units: trades.reduce(0) { saturatingSum($0, $1.size.units) }) }

  /// Whether the preceding trade belongs to the same sweep: the same aggressor and venue time, at a
  /// price the sweep passes.
  func continues(from earlier: Trade) -> Bool {
    guard let side = first.side, earlier.side == side, earlier.time == first.time else {
      return false
    }
    return side == .buy ? earlier.price <= first.price : earlier.price >= first.price
  }

  mutating func prepend(_ earlier: Trade) {
    first = earlier
    trades.append(earlier)
  }
}

/// The latest trades without a gap, for as many prints as are shown.
///
/// A tape has 30 trades, which may be fewer prints; older ones are kept while each tape continues
/// the previous one.
struct TradePrints: Equatable {
  static let depth = 300
  static let limit = 30
  /// Trades in a full tape; a shorter one contains all there are.
  private let tapeDepth: Int

  /// Newest first.
  private(set) var trades: [Trade] = []

  init(tapeDepth: Int) { self.tapeDepth = tapeDepth }

  /// Applies the latest trades, newest first.
  mutating func take(_ latest: [Trade]) {
    guard latest.count >= tapeDepth, let oldest = latest.last, let known = trades.first,
      latest.contains(where: { $0.arrival == known.arrival })
    else {
      trades = latest
      return
    }
    trades = Array((latest + older(than: oldest)).prefix(Self.depth))
  }

  /// Stored trades before a trade, which itself may have arrived late.
  private func older(than oldest: Trade) -> ArraySlice<Trade> {
    if let place = trades.firstIndex(where: { $0.arrival == oldest.arrival }) {
      return trades[(place + 1)...]
    }
    return trades.drop { $0.time > oldest.time }
  }

  var prints: [TradePrint] {
    var prints: [TradePrint] = []
    for trade in trades {
      if let last = prints.indices.last, prints[last].continues(from: trade) {
        prints[last].prepend(trade)
      } else if prints.count == Self.limit {
        break
      } else {
        prints.append(TradePrint(trade))
      }
    }
    return prints
  }

  /// Minimum sizes to filter prints by: powers of ten, the first near the median size; empty before
  /// ten trades.
  var sizeSteps: [Quantity] {
    guard trades.count >= 10 else { return [] }
    let middle = trades.map(\.size.units).sorted()[trades.count / 2]
    var step: Int64 = 1
    while step <= middle / 10 { step *= 10 }
    return (0..<4).compactMap { power in
      let (scaled, overflow) = step.multipliedReportingOverflow(by: powerOfTen(power))
      return overflow ? nil : Quantity(units: scaled)
    }
  }
}
