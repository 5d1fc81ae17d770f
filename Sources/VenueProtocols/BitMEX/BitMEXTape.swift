// The latest 30 trades of one instrument, by the venue's time.

import MarketModel

/// The tape of one instrument.
///
/// Rows are not told apart by `trdMatchID`, which is not unique. A partial holds the latest trade
/// alone: where that is the newest trade already here, nothing was missed and the tape stays;
/// else it starts again from the partial, since trades in between are unknown.
struct BitMEXTape {
  /// Trades kept.
  static let depth = 30

  /// Newest first by venue time; later arrivals first among equal times.
  private(set) var trades: [Trade] = []
  /// Whether inserts are dropped until a partial comes.
  private(set) var awaitsPartial = false
  /// Whether anything has come.
  private(set) var isFilled = false
  /// When the partial was asked for.
  private(set) var askedAt: MonotonicTime?
  /// Whether the latest trades could not be taken, so that what is here is not the latest.
  private(set) var isBehind = false
  private var arrivals: UInt64 = 0

  /// A trade with an impossible time is left out: until a good one comes the tape is not live.
  mutating func refuse() { isBehind = true }

  /// Puts a trade in its place; says whether it is among the latest 30.
  mutating func insert(_ row: BitMEXTradeRow) -> (trade: Trade, isShown: Bool) {
    isFilled = true
    isBehind = false
    arrivals &+= 1
    let trade = Trade(
      price: Price(units: row.price), size: Quantity(units: row.size), side: row.side,
      time: row.time, arrival: arrivals)
    var index = 0
    while index < trades.count, trades[index].time > row.time { index += 1 }
    guard index < Self.depth else { return (trade, false) }
    if trades.count == Self.depth { trades.removeLast() }
    trades.insert(trade, at: index)
    return (trade, true)
  }

  /// A partial is about to fill the tape; `newest` is its latest row, nil when it is empty.
  ///
  /// Says whether its rows are to be inserted.
  mutating func beginPartial(newest: BitMEXTradeRow?) -> Bool {
    awaitsPartial = false
    askedAt = nil
    isFilled = true
    if let first = trades.first, let newest, first.time == newest.time,
      first.price.units == newest.price, first.size.units == newest.size,
      first.side == newest.side
    {
      return false
    }
    trades.removeAll(keepingCapacity: true)
    return true
  }

  /// Drops inserts until a partial comes.
  mutating func awaitPartial(at now: MonotonicTime?) {
    awaitsPartial = true
    askedAt = now
  }

  /// Takes inserts without a partial: they are whole rows.
  mutating func stopWaiting() {
    awaitsPartial = false
    askedAt = nil
    if !trades.isEmpty { trades.removeAll(keepingCapacity: true) }
    isFilled = true
  }

  /// Forgets the trades, not the count of arrivals.
  mutating func forget() {
    trades.removeAll()
    awaitsPartial = true
    askedAt = nil
    isFilled = false
  }

  /// What the tape is worth on a connection of this freshness.
  func freshness(_ connection: Freshness) -> Freshness {
    guard connection.state != .disconnected else { return connection }
    if awaitsPartial { return connection.changed(to: trades.isEmpty ? .waiting : .resyncing) }
    guard isFilled else { return connection.changed(to: .waiting) }
    return isBehind ? connection.changed(to: .stale) : connection
  }
}
