// Rows of `instrument`, over the WebSocket and over REST: the members that public clients read and
// those that the order-book screens show, with the values of the 2021 capture where they never
// change.

import MarketModel

extension BitMEXText {
  /// A whole row.
  mutating func instrument(_ market: BitMEXMarket) {
    let instrument = market.instrument
    let isBitcoin = instrument.symbol == "XBTUSD"
    open(instrument)
    string("rootSymbol", instrument.root)
    raw(",\"state\":\"Open\",\"typ\":\"FFWCSX\"")
    raw(",\"listing\":\"2016-05-13T12:00:00.000Z\",\"front\":\"2016-05-13T12:00:00.000Z\"")
    if generation == .legacy { raw(",\"expiry\":null,\"settle\":null") }
    string("positionCurrency", isBitcoin ? "USD" : "")
    string("underlying", instrument.root)
    raw(",\"quoteCurrency\":\"USD\"")
    string("underlyingSymbol", instrument.root + "=")
    raw(",\"reference\":\"BMEX\"")
    string("referenceSymbol", ".B" + (isBitcoin ? "XBT" : instrument.root))
    raw(",\"maxOrderQty\":10000000")
    number("maxPrice", FixedDecimal(units: 1_000_000, scale: .whole))
    whole("lotSize", instrument.lot)
    number("tickSize", instrument.price(1))
    contract(instrument)
    rates()
    activity(market)
    prices(market)
    raw(",\"timestamp\":")
    time(market.milliseconds)
    raw("},")
  }

  /// The row that follows trades: last price and volume.
  mutating func lastTrade(_ market: BitMEXMarket) {
    open(market.instrument)
    activity(market)
    raw(",\"timestamp\":")
    time(market.milliseconds)
    raw("},")
  }

  /// The row that is sent every five seconds: the throttled prices.
  mutating func throttledPrices(_ market: BitMEXMarket, milliseconds: Int64) {
    open(market.instrument)
    prices(market)
    raw(",\"timestamp\":")
    time(milliseconds)
    raw("},")
  }

  private mutating func contract(_ instrument: BitMEXInstrument) {
    switch instrument.contract {
    case .inverse:
      raw(",\"multiplier\":-100000000,\"settlCurrency\":\"XBt\"")
      raw(",\"underlyingToSettleMultiplier\":-100000000,\"isQuanto\":false,\"isInverse\":true")
    case .quanto(let multiplier):
      whole("multiplier", multiplier)
      raw(",\"settlCurrency\":\"XBt\"")
      whole("quoteToSettleMultiplier", BitMEXInstrument.satoshiPerDollar)
      raw(",\"isQuanto\":true,\"isInverse\":false")
    }
  }

  private mutating func rates() {
    number("initMargin", FixedDecimal(units: 1, scale: Scale(clamping: 2)))
    number("maintMargin", FixedDecimal(units: 5, scale: Scale(clamping: 3)))
    raw(",\"riskLimit\":20000000000,\"riskStep\":10000000000,\"taxed\":true,\"deleverage\":true")
    raw(generation == .legacy ? ",\"makerFee\":-0.00025" : ",\"makerFee\":-2.5E-4")
    number("takerFee", FixedDecimal(units: 75, scale: Scale(clamping: 5)))
    number("settlementFee", FixedDecimal(units: 0, scale: .whole))
    raw(",\"fundingInterval\":\"2000-01-01T08:00:00.000Z\"")
    number("fundingRate", FixedDecimal(units: 1, scale: Scale(clamping: 4)))
    number("indicativeFundingRate", FixedDecimal(units: 1, scale: Scale(clamping: 4)))
  }

  private mutating func activity(_ market: BitMEXMarket) {
    let instrument = market.instrument
    whole("totalVolume", market.volume)
    whole("volume", market.volume)
    whole("volume24h", market.volume)
    number("highPrice", instrument.price(market.range.high))
    number("lowPrice", instrument.price(market.range.low))
    guard let last = market.lastTrade else { return }
    number("lastPrice", instrument.price(last.ticks))
    string("lastTickDirection", last.direction.rawValue)
  }

  private mutating func prices(_ market: BitMEXMarket) {
    let instrument = market.instrument
    guard let bid = market.bids.best, let ask = market.asks.best else { return }
    number("bidPrice", instrument.price(bid.ticks))
    let doubled = instrument.units(bid.ticks) + instrument.units(ask.ticks)
    let middle = FixedDecimal(
      units: doubled * 5, scale: Scale(clamping: instrument.priceScale.digits + 1))
    number("midPrice", middle)
    number("askPrice", instrument.price(ask.ticks))
    raw(",\"hasLiquidity\":true,\"fairMethod\":\"FundingRate\"")
    number("fairPrice", middle)
    raw(",\"markMethod\":\"FairPrice\"")
    number("markPrice", middle)
    number("indicativeSettlePrice", middle)
  }

  private mutating func member(_ key: StaticString) {
    raw(",\"")
    raw(key)
    raw("\":")
  }

  private mutating func string(_ key: StaticString, _ value: String) {
    member(key)
    raw("\"")
    raw(value.utf8)
    raw("\"")
  }

  private mutating func whole(_ key: StaticString, _ value: Int64) {
    member(key)
    integer(value)
  }

  private mutating func number(_ key: StaticString, _ value: FixedDecimal) {
    member(key)
    float(value)
  }
}
