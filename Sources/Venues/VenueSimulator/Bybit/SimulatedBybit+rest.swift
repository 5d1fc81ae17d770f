// Public calls under `/v5/market/`, in the real venue's format: newest first.

public import MarketModel
import WireJSON

extension SimulatedBybit {
  private static let prefix = "/v5/market/"

  /// Responds to paths under `/v5/market/`; nil for any other path.
  public mutating func respond(to request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    guard request.path.hasPrefix(Self.prefix) else { return nil }
    catchUp(to: now)
    var result = JSONWriter(capacity: 32_768)
    let problem = write(
      String(request.path.dropFirst(Self.prefix.count)), request, at: now, to: &result)
    var writer = JSONWriter(capacity: result.bytes.count + 128)
    writer.object { writer in
      writer.member("retCode", problem == nil ? 0 : 10_001)
      writer.member("retMsg", problem ?? "OK")
      writer.key("result")
      writer.raw(problem == nil ? result.bytes : Array("{}".utf8))
      writer.key("retExtInfo")
      writer.raw("{}")
      writer.member("time", now.milliseconds)
    }
    return .json(writer)
  }

  /// Returns the problem of a call; nil when it was carried out.
  private mutating func write(
    _ method: String, _ request: VenueRequest, at now: Timestamp, to writer: inout JSONWriter
  ) -> String? {
    guard request.queryValue("category") == category.rawValue else { return "Illegal category" }
    let symbol = request.queryValue("symbol")
    writer.beginObject()
    writer.member("category", category.rawValue)
    defer { writer.endObject() }
    switch method {
    case "instruments-info": return writeInstruments(symbol, request, to: &writer)
    case "tickers":
      writer.array("list") { writer in
        for index in pairs.indices where symbol == nil || pairs[index].symbol == symbol {
          let day = daySummary(of: index, at: now)
          writer.object { writer in
            writer.member("symbol", pairs[index].symbol)
            text.members(
              text.figures(pairs[index], day)
                + text.bestLevels(pairs[index], published[index].touch),
              &writer)
          }
        }
      }
    case "kline":
      guard let index = index(of: symbol) else {
        return "Not supported symbols"
      }
      guard let length = Self.minutes[request.queryValue("interval") ?? ""] else {
        return "Invalid period!"
      }
      writeCandles(index, length, request, at: now, to: &writer)
    case "orderbook", "recent-trade":
      guard let index = pairs.firstIndex(where: { $0.symbol == symbol }) else {
        return "Not supported symbols"
      }
      if method == "orderbook" {
        writeBook(index, request, at: now, to: &writer)
      } else {
        writeTrades(index, request, to: &writer)
      }
    default: return "Request path not found"
    }
    return nil
  }

  /// The present book; its numbers are those of the market's latest change.
  private func writeBook(
    _ index: Int, _ request: VenueRequest, at now: Timestamp, to writer: inout JSONWriter
  ) {
    let limit = min(max(1, request.queryValue("limit").flatMap { Int($0) } ?? 1), 200)
    let book = TopLevels(market.instruments[index], depth: limit)
    writer.member("s", pairs[index].symbol)
    text.sides(pairs[index], bids: book.bids, asks: book.asks, &writer)
    writer.member("ts", now.milliseconds)
    writer.member("u", published[index].sequence)
    writer.member("seq", published[index].sequence)
    writer.member("cts", now.milliseconds)
  }

  /// At most the newest 60 trades of a spot pair, or 1,000 of a perpetual.
  private func writeTrades(_ index: Int, _ request: VenueRequest, to writer: inout JSONWriter) {
    let most = category == .spot ? 60 : 1000
    let limit = min(max(1, request.queryValue("limit").flatMap { Int($0) } ?? 60), most)
    let pair = pairs[index]
    let sequence = published[index].sequence
    writer.key("list")
    writer.objects(nil, tapes[index].latest(limit).reversed()) { writer, trade in
      writer.member("execId", tradeIdentifier(trade.identifier, of: index))
      writer.member("symbol", pair.symbol)
      writer.member("price", decimal: text.price(pair, trade.ticks))
      writer.member("size", decimal: text.size(pair, trade.lots))
      writer.member("side", trade.isBuy ? "Buy" : "Sell")
      writer.member("time", String(trade.microseconds / 1000))
      writer.member("isBlockTrade", false)
      writer.member("isRPITrade", false)
      writer.member("seq", String(sequence))
    }
  }

  private mutating func writeCandles(
    _ index: Int, _ length: Int64, _ request: VenueRequest, at now: Timestamp,
    to writer: inout JSONWriter
  ) {
    let limit = min(max(1, request.queryValue("limit").flatMap { Int64($0) } ?? 200), 1000)
    let minute = minute(at: now)
    let start = request.queryValue("start").flatMap { Int64($0) } ?? .min
    let end = request.queryValue("end").flatMap { Int64($0) } ?? .max
    var last = minute
    if end < .max {
      last = min(minute, PastTrading.divide(end / 60_000, length) * length + length - 1)
    }
    let rows =
      last >= tapes[index].listing
      ? tapes[index].candles(minutes: length, count: limit, at: last) : []
    writer.member("symbol", pairs[index].symbol)
    writer.key("list")
    writer.arrays(rows.reversed().filter { $0.start * 60_000 >= start }) { writer, row in
      writer.string(String(row.start * 60_000))
      for ticks in [row.candle.open, row.candle.high, row.candle.low, row.candle.close] {
        writer.decimalString(pairs[index].price(ticks))
      }
      writer.decimalString(pairs[index].quantity(lots: row.candle.lots))
      writer.decimalString(pairs[index].value(lots: row.candle.lots, average: row.candle.average))
    }
  }

  /// All spot pairs at once, or a page of perpetuals; a single unknown one is an error there.
  private func writeInstruments(
    _ symbol: String?, _ request: VenueRequest, to writer: inout JSONWriter
  ) -> String? {
    let found = pairs.filter { symbol == nil || $0.symbol == symbol }
    guard category == .linear else {
      writer.key("list")
      writer.array(found) { Self.instrument(&$0, $1) }
      return nil
    }
    if found.isEmpty { return "params error: symbol invalid" }
    let limit = min(max(1, request.queryValue("limit").flatMap { Int($0) } ?? 500), 1000)
    let cursor = request.queryValue("cursor") ?? ""
    let first = found.firstIndex { $0.symbol == cursor } ?? 0
    let page = found[first...].prefix(limit)
    writer.key("list")
    writer.array(Array(page)) { perpetual(&$0, $1) }
    writer.member(
      "nextPageCursor", page.endIndex < found.endIndex ? found[page.endIndex].symbol : "")
    return nil
  }

  private func perpetual(_ writer: inout JSONWriter, _ pair: SpotPair) {
    writer.object { writer in
      writer.member("symbol", pair.symbol)
      writer.member("contractType", "LinearPerpetual")
      writer.member("status", "Trading")
      writer.member("baseCoin", pair.base)
      writer.member("quoteCoin", pair.quote)
      writer.member("launchTime", "1585526400000")
      writer.member("deliveryTime", "0")
      writer.member("deliveryFeeRate", "")
      writer.member("priceScale", String(text.price(pair, 1).scale.digits))
      writer.object("leverageFilter") { writer in
        writer.member("minLeverage", "1")
        writer.member("maxLeverage", "100.00")
        writer.member("leverageStep", "0.01")
      }
      writer.object("priceFilter") { $0.member("tickSize", decimal: text.price(pair, 1)) }
      writer.object("lotSizeFilter") { writer in
        writer.member("maxOrderQty", "1000000")
        writer.member("minOrderQty", decimal: text.size(pair, 1))
        writer.member("qtyStep", decimal: text.size(pair, 1))
        writer.member("minNotionalValue", "5")
      }
      writer.member("fundingInterval", 480)
      writer.member("settleCoin", pair.quote)
      writer.member("isPreListing", false)
      writer.member("symbolType", "")
    }
  }

  private static func instrument(_ writer: inout JSONWriter, _ pair: SpotPair) {
    writer.object { writer in
      writer.member("symbol", pair.symbol)
      writer.member("baseCoin", pair.base)
      writer.member("quoteCoin", pair.quote)
      writer.member("innovation", "0")
      writer.member("status", "Trading")
      writer.member("marginTrading", "none")
      writer.object("lotSizeFilter") { writer in
        writer.member("basePrecision", decimal: pair.quantity(lots: 1))
        writer.member("quotePrecision", "0.00000001")
        writer.member("minOrderQty", decimal: pair.quantity(lots: 1))
        writer.member("maxOrderQty", "1000000000")
        writer.member("minOrderAmt", "1")
        writer.member("maxOrderAmt", "4000000")
      }
      writer.object("priceFilter") { $0.member("tickSize", decimal: pair.price(1)) }
    }
  }

  private static let minutes: [String: Int64] = [
    "1": 1, "3": 3, "5": 5, "15": 15, "30": 30, "60": 60, "120": 120, "240": 240, "360": 360,
    "720": 720, "D": 1440,
  ]
}
