// The rows of the tables, key by key in the order of the captures. Every row ends with a comma.

import MarketModel

extension BitMEXText {
  /// A row of the book tables; `action` nil is a partial or a REST answer.
  mutating func level(
    _ row: SimulatedBitMEXRow, _ instrument: BitMEXInstrument, _ action: SimulatedBitMEXAction?,
    milliseconds: Int64
  ) {
    open(instrument)
    raw(",\"id\":")
    integer(row.level.id)
    raw(row.isAsk ? ",\"side\":\"Sell\"" : ",\"side\":\"Buy\"")
    let isLegacy = generation == .legacy
    if !(isLegacy && action == .delete) {
      raw(",\"size\":")
      integer(row.level.size)
    }
    if !(isLegacy && (action == .delete || action == .update)) {
      raw(",\"price\":")
      float(instrument.price(row.level.ticks))
    }
    if !isLegacy {
      raw(",\"timestamp\":")
      time(milliseconds)
      raw(",\"transactTime\":")
      time(row.level.changedMilliseconds)
    }
    raw("},")
  }

  /// A row of `trade`.
  mutating func trade(_ trade: BitMEXTrade, _ instrument: BitMEXInstrument) {
    raw("{\"timestamp\":")
    time(trade.milliseconds)
    raw(",\"symbol\":\"")
    raw(instrument.symbol.utf8)
    raw(trade.isBuy ? "\",\"side\":\"Buy\",\"size\":" : "\",\"side\":\"Sell\",\"size\":")
    integer(trade.size)
    raw(",\"price\":")
    float(instrument.price(trade.ticks))
    raw(",\"tickDirection\":\"")
    raw(trade.direction.rawValue.utf8)
    raw("\",\"trdMatchID\":\"")
    raw(GUIDText.text(trade.match.0, trade.match.1).utf8)
    raw("\",\"grossValue\":")
    let value = instrument.value(size: trade.size, ticks: trade.ticks)
    integer(value.grossSatoshi)
    raw(",\"homeNotional\":")
    float(value.home)
    raw(",\"foreignNotional\":")
    float(value.foreign)
    raw(generation == .modern ? ",\"trdType\":\"Regular\"}," : "},")
  }

  /// A row of `quote`.
  mutating func quote(_ market: BitMEXMarket) {
    guard let bid = market.bids.best, let ask = market.asks.best else { return }
    raw("{\"timestamp\":")
    time(market.milliseconds)
    raw(",\"symbol\":\"")
    raw(market.instrument.symbol.utf8)
    raw("\",\"bidSize\":")
    integer(bid.size)
    raw(",\"bidPrice\":")
    float(market.instrument.price(bid.ticks))
    raw(",\"askPrice\":")
    float(market.instrument.price(ask.ticks))
    raw(",\"askSize\":")
    integer(ask.size)
    raw("},")
  }

  /// A row of `orderBook10`.
  mutating func topTen(_ market: BitMEXMarket, milliseconds: Int64) {
    open(market.instrument)
    raw(",\"bids\":[")
    pairs(market.bids.top(10), market.instrument)
    raw("],\"asks\":[")
    pairs(market.asks.top(10), market.instrument)
    raw("],\"timestamp\":")
    time(milliseconds)
    raw("},")
  }

  /// `{"symbol":"XBTUSD"`.
  mutating func open(_ instrument: BitMEXInstrument) {
    raw("{\"symbol\":\"")
    raw(instrument.symbol.utf8)
    raw("\"")
  }

  private mutating func pairs(_ levels: [BitMEXLevel], _ instrument: BitMEXInstrument) {
    for level in levels {
      raw("[")
      float(instrument.price(level.ticks))
      raw(",")
      integer(level.size)
      raw("],")
    }
    dropComma()
  }
}

extension BitMEXInstrument {
  /// Satoshi in a dollar's worth of a quanto contract: the captured `quoteToSettleMultiplier`.
  static let satoshiPerDollar: Int64 = 3108

  /// What an execution was worth: in satoshi, in the underlying and in dollars.
  func value(size: Int64, ticks: Int64) -> (
    grossSatoshi: Int64, home: FixedDecimal, foreign: FixedDecimal
  ) {
    let price = max(1, units(ticks))
    let eight = Scale(clamping: 8)
    switch contract {
    case .inverse:
      // A contract's satoshi are rounded first: 1,000 contracts at 32,175 are 3,108,000 [capture].
      let whole = 100_000_000 * priceScale.unitsPerWhole
      let satoshi = size * ((whole + price / 2) / price)
      return (
        satoshi, FixedDecimal(units: satoshi, scale: eight),
        FixedDecimal(units: size, scale: .whole)
      )
    case .quanto(let multiplier):
      let satoshi = size * (price * multiplier / priceScale.unitsPerWhole)
      let cents = satoshi * 100 / BitMEXInstrument.satoshiPerDollar
      let home = cents * priceScale.unitsPerWhole * 100 / price
      return (
        satoshi, FixedDecimal(units: home, scale: Scale(clamping: 4)),
        FixedDecimal(units: cents, scale: Scale(clamping: 2))
      )
    }
  }
}
