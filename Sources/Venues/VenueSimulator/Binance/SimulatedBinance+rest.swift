// Public calls under `/api/v3/`, in the real venue's format: oldest first.

public import MarketModel
import OrderMatching
import WireJSON

extension SimulatedBinance {
  private static let prefix = "/api/v3/"
  /// The weight of requests that an address has in a minute; here it is that of all clients.
  private static let weightPerMinute = 6000

  private enum Outcome {
    case written
    case unknownSymbol
    case invalid
  }

  /// Responds to paths under `/api/v3/`; nil for any other path.
  public mutating func respond(to request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    guard request.path.hasPrefix(Self.prefix) else { return nil }
    catchUp(to: now)
    let method = String(request.path.dropFirst(Self.prefix.count))
    if let refusal = refusal(of: method, request, at: now) { return refusal }
    var writer = JSONWriter(capacity: 32_768)
    switch write(method, request, at: now, to: &writer) {
    case .written: return .json(writer, headers: ["x-mbx-used-weight-1m": "\(usedWeight)"])
    case .unknownSymbol:
      return VenueResponse(status: 400, body: BinanceText.failure(-1121, "Invalid symbol."))
    case .invalid:
      return VenueResponse(
        status: 400, body: BinanceText.failure(-1102, "A mandatory parameter was not sent."))
    case nil: return nil
    }
  }

  private mutating func refusal(
    of method: String, _ request: VenueRequest, at now: Timestamp
  ) -> VenueResponse? {
    if let status = behaviour.blockedStatus {
      return VenueResponse(
        status: status,
        body: BinanceText.failure(0, "Service unavailable from a restricted location."))
    }
    if method == "depth", limitedSnapshots < behaviour.limitedSnapshots {
      limitedSnapshots += 1
      return Self.limited(seconds: 2)
    }
    let minute = now.milliseconds / 60_000
    if weightMinute != minute { (weightMinute, usedWeight) = (minute, 0) }
    usedWeight += Self.weight(of: method, limit: request.queryValue("limit").flatMap { Int($0) })
    return usedWeight > Self.weightPerMinute
      ? Self.limited(seconds: Int(60 - now.milliseconds / 1000 % 60)) : nil
  }

  private static func limited(seconds: Int) -> VenueResponse {
    VenueResponse(
      status: 429,
      body: BinanceText.failure(
        -1003, "Too much request weight used; current limit is 6000 request weight per 1 MINUTE."),
      headers: ["retry-after": "\(seconds)"])
  }

  private static func weight(of method: String, limit: Int?) -> Int {
    switch method {
    case "depth":
      switch limit ?? 100 {
      case ...100: 5
      case ...500: 25
      case ...1000: 50
      default: 250
      }
    case "exchangeInfo": 20
    case "trades": 25
    case "aggTrades": 4
    case "ticker/24hr", "klines": 2
    default: 1
    }
  }

  /// Nil for an unknown method.
  private mutating func write(
    _ method: String, _ request: VenueRequest, at now: Timestamp, to writer: inout JSONWriter
  ) -> Outcome? {
    let symbol = request.queryValue("symbol")
    let index = index(of: symbol)
    switch method {
    case "ping":
      writer.raw("{}")
      return .written
    case "time":
      writer.object { $0.member("serverTime", now.milliseconds) }
      return .written
    case "exchangeInfo":
      guard symbol == nil || index != nil else { return .unknownSymbol }
      writer.object { writer in
        writer.member("timezone", "UTC")
        writer.member("serverTime", now.milliseconds)
        writer.key("symbols")
        writer.array(pairs.filter { symbol == nil || $0.symbol == symbol }) { writer, pair in
          Self.instrument(&writer, pair)
        }
      }
      return .written
    case "depth", "klines", "trades", "aggTrades", "ticker/24hr":
      guard symbol != nil else { return .invalid }
      guard let index else { return .unknownSymbol }
      return write(method, of: index, request, at: now, to: &writer)
    default: return nil
    }
  }

  private mutating func write(
    _ method: String, of index: Int, _ request: VenueRequest, at now: Timestamp,
    to writer: inout JSONWriter
  ) -> Outcome {
    let limit = request.queryValue("limit").flatMap { Int($0) }
    switch method {
    case "depth":
      let (levels, last) = snapshot(index, limit: min(max(1, limit ?? 100), 5000))
      writer.object { writer in
        writer.member("lastUpdateId", last)
        BinanceText.levels("bids", levels.bids, pairs[index], &writer)
        BinanceText.levels("asks", levels.asks, pairs[index], &writer)
      }
    case "klines":
      guard let length = Self.minutes[request.queryValue("interval") ?? ""] else { return .invalid }
      writeCandles(index, length, request, at: now, to: &writer)
    case "trades":
      let trades = tapes[index].latest(min(max(1, limit ?? 500), 1000))
      writer.array(trades) { [pair = pairs[index]] writer, row in
        writer.object { writer in
          writer.member("id", row.identifier)
          writer.member("price", decimal: BinanceText.price(pair, row.ticks))
          writer.member("qty", decimal: BinanceText.size(pair, row.lots))
          writer.member("time", row.microseconds / 1000)
          writer.member("isBuyerMaker", !row.isBuy)
          writer.member("isBestMatch", true)
        }
      }
    case "aggTrades":
      writer.array(aggregates(of: index, request)) { [pair = pairs[index]] writer, row in
        writer.object { writer in
          BinanceText.aggregateMembers(pair, row, &writer)
        }
      }
    default: writeTicker(index, at: now, to: &writer)
    }
    return .written
  }

  private mutating func writeTicker(_ index: Int, at now: Timestamp, to writer: inout JSONWriter) {
    let (pair, day) = (pairs[index], daySummary(of: index, at: now))
    let top = TopLevels(market.instruments[index], depth: 1)
    let (bid, ask) = (top.bids.first, top.asks.first)
    writer.object { writer in
      writer.member("symbol", pair.symbol)
      writer.members([
        ("priceChange", BinanceText.padded(BinanceText.change(pair, day))),
        ("priceChangePercent", BinanceText.percent(day)),
        ("lastPrice", BinanceText.price(pair, day.traded.close)),
        ("openPrice", BinanceText.price(pair, day.before)),
        ("highPrice", BinanceText.price(pair, day.traded.high)),
        ("lowPrice", BinanceText.price(pair, day.traded.low)),
        ("bidPrice", bid.map { BinanceText.price(pair, $0.price.units) }),
        ("bidQty", bid.map { BinanceText.size(pair, $0.quantity.units) }),
        ("askPrice", ask.map { BinanceText.price(pair, $0.price.units) }),
        ("askQty", ask.map { BinanceText.size(pair, $0.quantity.units) }),
        ("volume", BinanceText.size(pair, day.traded.lots)),
        ("quoteVolume", pair.value(lots: day.traded.lots, average: day.traded.average)),
      ])
      writer.member("openTime", now.milliseconds - 86_400_000)
      writer.member("closeTime", now.milliseconds)
      writer.member("count", day.traded.count)
    }
  }

  /// From a number or a time on, oldest first, or the latest; each trade is an aggregate of itself.
  private func aggregates(of index: Int, _ request: VenueRequest) -> [TapeTrade] {
    func integer(_ name: String) -> Int64? { request.queryValue(name).flatMap { Int64($0) } }
    let limit = Int(min(max(1, integer("limit") ?? 500), 1000))
    let end = integer("endTime") ?? .max
    if let first = integer("fromId") {
      let known = tapes[index].latest(Self.searchedTrades)
      return Array(known.filter { $0.identifier >= first }.prefix(limit))
    }
    guard let start = integer("startTime"), (0...Self.latestTime).contains(start) else {
      let known = tapes[index].latest(end == .max ? limit : Self.searchedTrades)
      return known.filter { $0.microseconds / 1000 <= end }.suffix(limit)
    }
    return tapes[index].trades(after: start * 1_000_000 - 1, limit: limit)
      .filter { $0.microseconds / 1000 <= end }
  }

  /// Trades that a request may look through.
  private static let searchedTrades = 20_000
  /// In milliseconds since 1970; later times would overflow nanoseconds.
  private static let latestTime: Int64 = 4_000_000_000_000

  private mutating func writeCandles(
    _ index: Int, _ length: Int64, _ request: VenueRequest, at now: Timestamp,
    to writer: inout JSONWriter
  ) {
    let limit = min(max(1, request.queryValue("limit").flatMap { Int64($0) } ?? 500), 1000)
    let start = request.queryValue("startTime").flatMap { Int64($0) } ?? .min
    let last = minute(at: now)
    let pair = pairs[index]
    let rows = tapes[index].candles(minutes: length, count: limit, at: last)
      .filter { $0.start * 60_000 >= start }
    writer.arrays(rows) { writer, row in
      writer.integer(row.start * 60_000)
      for ticks in [row.candle.open, row.candle.high, row.candle.low, row.candle.close] {
        writer.decimalString(BinanceText.price(pair, ticks))
      }
      writer.decimalString(BinanceText.size(pair, row.candle.lots))
      writer.integer((row.start + length) * 60_000 - 1)
      writer.decimalString(pair.value(lots: row.candle.lots, average: row.candle.average))
      writer.integer(row.candle.count)
      writer.string("0")
      writer.string("0")
      writer.string("0")
    }
  }

  private static func instrument(_ writer: inout JSONWriter, _ pair: SpotPair) {
    writer.object { writer in
      writer.member("symbol", pair.symbol)
      writer.member("status", "TRADING")
      writer.member("baseAsset", pair.base)
      writer.member("baseAssetPrecision", 8)
      writer.member("quoteAsset", pair.quote)
      writer.member("quotePrecision", 8)
      writer.member("isSpotTradingAllowed", true)
      writer.array("filters") { writer in
        writer.object { writer in
          writer.member("filterType", "PRICE_FILTER")
          writer.member("minPrice", decimal: BinanceText.price(pair, 1))
          writer.member("tickSize", decimal: BinanceText.price(pair, 1))
        }
        writer.object { writer in
          writer.member("filterType", "LOT_SIZE")
          writer.member("minQty", decimal: BinanceText.size(pair, 1))
          writer.member("stepSize", decimal: BinanceText.size(pair, 1))
        }
      }
    }
  }

  private static let minutes: [String: Int64] = [
    "1m": 1, "3m": 3, "5m": 5, "15m": 15, "30m": 30, "1h": 60, "2h": 120, "4h": 240, "6h": 360,
    "8h": 480, "12h": 720, "1d": 1440,
  ]
}
