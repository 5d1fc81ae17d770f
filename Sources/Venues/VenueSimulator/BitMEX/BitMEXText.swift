import MarketModel

/// Builds rows in a generation's number format, appending bytes directly.
///
/// Partials have thousands of rows, and updates come many times a second.
struct BitMEXText: Sendable {
  private(set) var bytes: [UInt8] = []
  let generation: BitMEXGeneration

  private var dayNumber: Int64 = .min
  private var day: [UInt8] = []

  init(_ generation: BitMEXGeneration) { self.generation = generation }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  mutating func raw(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

  mutating func raw(_ text: some Collection<UInt8>) { bytes.append(contentsOf: text) }

  /// Removes the last byte if it is a comma: rows end with one, lists do not.
  mutating func dropComma() {
    if bytes.last == UInt8(ascii: ",") { bytes.removeLast() }
  }

  mutating func integer(_ value: Int64) {
    FixedDecimal(units: value, scale: .whole).appendText(to: &bytes)
  }

  /// Appends a number of a "float" column: 32180 and 0.0001, or 32180.0 and 1.0E-4.
  mutating func float(_ value: FixedDecimal) {
    let trimmed = value.trimmed
    guard generation == .modern, trimmed.units != 0 else {
      trimmed.appendText(to: &bytes)
      if generation == .modern { raw(".0") }
      return
    }
    // Java writes numbers from 10^-3 up to 10^7 plainly and others with an exponent.
    let isSmall = trimmed < FixedDecimal(units: 1, scale: Scale(clamping: 3))
    let isLarge = trimmed >= FixedDecimal(units: 10_000_000, scale: .whole)
    if trimmed.units > 0, isSmall || isLarge { return scientific(trimmed) }
    trimmed.appendText(to: &bytes)
    if trimmed.scale == .whole { raw(".0") }
  }

  /// Appends a time as a string; times before 1970 as 1970.
  mutating func time(_ time: Int64) {
    let milliseconds = max(0, time)
    let number = milliseconds / 86_400_000
    if number != dayNumber {
      dayNumber = number
      day = Array(Timestamp(milliseconds: milliseconds).description.utf8.prefix(11))
    }
    let inDay = milliseconds % 86_400_000
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: day)
    digits(inDay / 3_600_000, 2)
    bytes.append(UInt8(ascii: ":"))
    digits(inDay / 60_000 % 60, 2)
    bytes.append(UInt8(ascii: ":"))
    digits(inDay / 1000 % 60, 2)
    bytes.append(UInt8(ascii: "."))
    digits(inDay % 1000, 3)
    bytes.append(UInt8(ascii: "Z"))
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func digits(_ value: Int64, _ count: Int) {
    var divisor = count == 3 ? Int64(100) : 10
    for _ in 0..<count {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func scientific(_ value: FixedDecimal) {
    var text = Array(String(value.units).utf8)
    let exponent = text.count - 1 - Int(value.scale.digits)
    while text.count > 1, text.last == UInt8(ascii: "0") { text.removeLast() }
    bytes.append(text[0])
    bytes.append(UInt8(ascii: "."))
    bytes.append(contentsOf: text.count > 1 ? text[1...] : [UInt8(ascii: "0")])
    bytes.append(UInt8(ascii: "E"))
    integer(Int64(exponent))
  }
}

// MARK: - Instruments

// The members that public clients and order-book screens read; constants are of the 2021 capture.

extension BitMEXText {
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

  /// The row with the throttled prices, every five seconds.
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

// MARK: - Rows

// Keys are in the order of the captures. Every row ends with a comma.

extension BitMEXText {
  /// A row of the book tables; `action` nil is a partial or a REST response.
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

  /// The value of an execution: in satoshi, in the underlying and in dollars.
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
