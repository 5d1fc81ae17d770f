import MarketModel
import OrderMatching
import WireJSON

/// Builds Bybit's messages: prices and sizes are strings, numbers and times are numbers.
enum BybitText {
  static func response(
    _ operation: String, isSuccess: Bool, _ text: String, request: String?, connection: String
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("success", isSuccess)
    writer.member("ret_msg", text)
    writer.member("conn_id", connection)
    if let request { writer.member("req_id", request) }
    writer.member("op", operation)
    writer.endObject()
    return writer.bytes
  }

  static func book(
    _ depth: Int, _ pair: SpotPair, type: String, bids: [BookLevel], asks: [BookLevel],
    update: Int64, sequence: Int64, at time: Timestamp
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 4096)
    begin("orderbook.\(depth)", pair, type: type, at: time, &writer)
    writer.beginObject()
    writer.member("s", pair.symbol)
    sides(pair, bids: bids, asks: asks, &writer)
    writer.member("u", update)
    writer.member("seq", sequence)
    writer.endObject()
    writer.member("cts", time.milliseconds)
    writer.endObject()
    return writer.bytes
  }

  static func sides(
    _ pair: SpotPair, bids: [BookLevel], asks: [BookLevel], _ writer: inout JSONWriter
  ) {
    for (key, levels) in [("b" as StaticString, bids), ("a", asks)] {
      writer.key(key)
      writer.array(levels) { writer, level in
        writer.beginArray()
        writer.decimalString(pair.price(level.price.units))
        writer.decimalString(pair.quantity(lots: level.quantity.units))
        writer.endArray()
      }
    }
  }

  static func trades(
    _ pair: SpotPair, _ rows: [TapeTrade], _ identifiers: [Int64], sequence: Int64,
    at time: Timestamp
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 1024)
    begin("publicTrade", pair, type: "snapshot", at: time, &writer)
    writer.array(Array(zip(rows, identifiers))) { writer, row in
      writer.beginObject()
      writer.member("i", String(row.1))
      writer.member("T", row.0.microseconds / 1000)
      writer.member("p", decimal: pair.price(row.0.ticks))
      writer.member("v", decimal: pair.quantity(lots: row.0.lots))
      writer.member("S", row.0.isBuy ? "Buy" : "Sell")
      writer.member("seq", sequence)
      writer.member("s", pair.symbol)
      writer.member("BT", false)
      writer.member("RPI", false)
      writer.endObject()
    }
    writer.endObject()
    return writer.bytes
  }

  static func ticker(_ pair: SpotPair, _ day: DaySummary, at time: Timestamp) -> [UInt8] {
    var writer = JSONWriter(capacity: 512)
    begin("tickers", pair, type: "snapshot", at: time, &writer)
    writer.beginObject()
    figures(pair, day, &writer)
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }

  /// The members of a ticker, also of REST's.
  static func figures(_ pair: SpotPair, _ day: DaySummary, _ writer: inout JSONWriter) {
    writer.member("symbol", pair.symbol)
    writer.member("lastPrice", decimal: pair.price(day.traded.close))
    writer.member("highPrice24h", decimal: pair.price(day.traded.high))
    writer.member("lowPrice24h", decimal: pair.price(day.traded.low))
    writer.member("prevPrice24h", decimal: pair.price(day.before))
    writer.member("volume24h", decimal: pair.quantity(lots: day.traded.lots))
    writer.member(
      "turnover24h", decimal: pair.value(lots: day.traded.lots, average: day.traded.average))
    writer.member(
      "price24hPcnt", decimal: FixedDecimal(units: day.changeBasisPoints, scale: Scale(clamping: 4))
    )
  }

  /// The best levels in REST's ticker; the stream's ticker of a spot pair has none.
  static func bestLevels(_ pair: SpotPair, _ top: TopLevels, _ writer: inout JSONWriter) {
    if let bid = top.bids.first {
      writer.member("bid1Price", decimal: pair.price(bid.price.units))
      writer.member("bid1Size", decimal: pair.quantity(lots: bid.quantity.units))
    }
    if let ask = top.asks.first {
      writer.member("ask1Price", decimal: pair.price(ask.price.units))
      writer.member("ask1Size", decimal: pair.quantity(lots: ask.quantity.units))
    }
  }

  private static func begin(
    _ channel: String, _ pair: SpotPair, type: String, at time: Timestamp,
    _ writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("topic", "\(channel).\(pair.symbol)")
    writer.member("ts", time.milliseconds + 2)
    writer.member("type", type)
    writer.key("data")
  }
}
