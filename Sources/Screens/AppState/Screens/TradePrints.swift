// Recent trades as prints: the trades in which one order swept several waiting ones are one print.

import MarketModel

/// One or more trades of one sweep.
struct TradePrint: Equatable {
  /// The first trade of the sweep; its number identifies the print, however it grows.
  private(set) var first: Trade
  /// The last one, at the price that the sweep reached.
  let last: Trade
  /// All of them, the last first.
  private(set) var trades: [Trade]

  init(_ trade: Trade) {
    (first, last) = (trade, trade)
    trades = [trade]
  }

  /// The size of all trades; `Int64.max` when it would overflow.
  var size: Quantity {
    Quantity(units: trades.reduce(0) { saturatingSum($0, $1.size.units) })
  }

  /// Whether the trade before the first belongs to the sweep too: the same aggressor at the same
  /// moment of the venue, at a price that a sweep passes on its way.
  func continues(from earlier: Trade) -> Bool {
    guard let side = first.side, earlier.side == side, earlier.time == first.time else {
      return false
    }
    return side == .buy ? earlier.price <= first.price : earlier.price >= first.price
  }

  /// Takes the trade before the first one.
  mutating func prepend(_ earlier: Trade) {
    first = earlier
    trades.append(earlier)
  }
}

/// The latest trades without a hole, as far back as some prints need.
///
/// A tape has 30 trades, which are fewer prints; older ones are remembered here for as long as each
/// tape continues the one before.
struct TradePrints: Equatable {
  /// Trades remembered.
  static let depth = 300
  /// Prints shown.
  static let limit = 30
  /// Trades of a full tape: a shorter one has all there are.
  private let tapeDepth: Int

  /// Newest first.
  private(set) var trades: [Trade] = []

  init(tapeDepth: Int) { self.tapeDepth = tapeDepth }

  /// Takes the latest trades, newest first.
  mutating func take(_ latest: [Trade]) {
    guard latest.count >= tapeDepth, let oldest = latest.last, let known = trades.first,
      latest.contains(where: { $0.arrival == known.arrival })
    else {
      trades = latest
      return
    }
    trades = Array((latest + older(than: oldest)).prefix(Self.depth))
  }

  /// What is remembered of before a trade, which itself may have come late.
  private func older(than oldest: Trade) -> ArraySlice<Trade> {
    if let place = trades.firstIndex(where: { $0.arrival == oldest.arrival }) {
      return trades[(place + 1)...]
    }
    return trades.drop { $0.time > oldest.time }
  }

  /// The newest prints, at most 30.
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

  /// Sizes from which on prints may be shown: powers of ten of which the first is near the middle
  /// of the sizes known now; none before there are ten trades.
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
