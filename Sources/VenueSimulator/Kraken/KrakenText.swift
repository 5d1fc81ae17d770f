// The simulated Kraken's messages, in the spelling of the real one: numbers with all digits of
// their precision, times with microseconds.

import MarketModel
import WireJSON

/// Builds messages.
enum KrakenText {
  /// The greeting, and what a change of the engine's state would look like.
  static func status(connection: UInt64) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("channel", "status")
    writer.member("type", "update")
    writer.key("data")
    writer.beginArray()
    writer.beginObject()
    writer.member("version", "2.0.10")
    writer.member("system", "online")
    writer.member("api_version", "v2")
    writer.member("connection_id", connection)
    writer.key("upcoming_maintenance")
    writer.raw("[]")
    writer.key("emergency")
    writer.raw("[]")
    writer.endObject()
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  static let heartbeat = Array(#"{"channel":"heartbeat"}"#.utf8)

  /// The answer to a ping.
  static func pong(_ identifier: Int64?, at now: Timestamp) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("method", "pong")
    end(&writer, identifier, at: now)
    return writer.bytes
  }

  /// What was carried out for one symbol, or for the pairs when `symbol` is nil.
  static func acknowledgement(
    _ request: KrakenRequest, _ symbol: String?, at now: Timestamp
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("method", request.method)
    writer.key("result")
    writer.beginObject()
    writer.member("channel", request.channel)
    if request.channel == "book" { writer.member("depth", request.depth) }
    if request.channel == "ticker" { writer.member("event_trigger", request.trigger) }
    if request.method == "subscribe" { writer.member("snapshot", request.wantsSnapshot) }
    if let symbol { writer.member("symbol", symbol) }
    writer.endObject()
    writer.member("success", true)
    end(&writer, request.identifier, at: now)
    return writer.bytes
  }

  /// Why a request, or its part about one symbol, was not carried out.
  static func refusal(
    _ error: String, method: String, symbol: String?, _ identifier: Int64?, at now: Timestamp
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("error", error)
    writer.member("method", method)
    writer.member("success", false)
    if let symbol { writer.member("symbol", symbol) }
    end(&writer, identifier, at: now)
    return writer.bytes
  }

  private static func end(_ writer: inout JSONWriter, _ identifier: Int64?, at now: Timestamp) {
    if let identifier { writer.member("req_id", identifier) }
    writer.key("time_in")
    time(&writer, now)
    writer.key("time_out")
    time(&writer, now.adding(microseconds: 31))
    writer.endObject()
  }

  /// A book message; `checksum` is of the whole book that results.
  static func book(
    _ type: String, _ pair: KrakenPair, bids: [KrakenBookLevel], asks: [KrakenBookLevel],
    checksum: UInt32, at now: Timestamp
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 256 + 48 * (bids.count + asks.count))
    begin(&writer, "book", type)
    writer.beginObject()
    writer.member("symbol", pair.symbol)
    writer.key("bids")
    levels(&writer, bids, pair)
    writer.key("asks")
    levels(&writer, asks, pair)
    writer.member("checksum", checksum)
    writer.key("timestamp")
    time(&writer, now)
    writer.endObject()
    end(&writer)
    return writer.bytes
  }

  private static func levels(
    _ writer: inout JSONWriter, _ levels: [KrakenBookLevel], _ pair: KrakenPair
  ) {
    writer.array(levels) { writer, level in
      writer.beginObject()
      writer.member("price", number: pair.price(level.ticks))
      writer.member("qty", number: FixedDecimal(units: level.units, scale: pair.quantityPrecision))
      writer.endObject()
    }
  }

  /// Trades of one pair, oldest first.
  static func trades(_ type: String, _ pair: KrakenPair, _ trades: [TapeTrade]) -> [UInt8] {
    var writer = JSONWriter(capacity: 256 + 160 * trades.count)
    begin(&writer, "trade", type)
    for trade in trades {
      writer.beginObject()
      writer.member("symbol", pair.symbol)
      writer.member("side", trade.isBuy ? "buy" : "sell")
      writer.member("price", number: pair.price(trade.ticks))
      writer.member("qty", number: pair.quantity(lots: trade.lots))
      writer.member("ord_type", trade.isMarketOrder ? "market" : "limit")
      writer.member("trade_id", trade.identifier)
      writer.key("timestamp")
      time(&writer, Timestamp(nanoseconds: trade.microseconds &* 1000))
      writer.endObject()
    }
    end(&writer)
    return writer.bytes
  }

  /// All assets and pairs.
  static func instruments(_ pairs: [KrakenPair]) -> [UInt8] {
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    writer.member("channel", "instrument")
    writer.member("type", "snapshot")
    writer.key("data")
    writer.beginObject()
    writer.key("assets")
    writer.beginArray()
    for asset in Set(pairs.flatMap { [$0.base, $0.quote] }).sorted() { self.asset(&writer, asset) }
    writer.endArray()
    writer.member("pairs", array: pairs) { self.pair(&$0, $1) }
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }

  private static func asset(_ writer: inout JSONWriter, _ name: String) {
    writer.beginObject()
    writer.member("id", name)
    writer.member("status", "enabled")
    writer.member("precision", name == "USD" ? 4 : 10)
    writer.member("precision_display", name == "USD" ? 2 : 5)
    writer.member("borrowable", true)
    writer.endObject()
  }

  private static func pair(_ writer: inout JSONWriter, _ pair: KrakenPair) {
    writer.beginObject()
    writer.member("symbol", pair.symbol)
    writer.member("base", pair.base)
    writer.member("quote", pair.quote)
    writer.member("status", pair.status.rawValue)
    writer.member("qty_precision", pair.quantityPrecision.digits)
    writer.member("qty_increment", number: FixedDecimal(units: 1, scale: pair.quantityPrecision))
    writer.member("price_precision", pair.pricePrecision.digits)
    writer.member("cost_precision", 5)
    writer.member("marginable", false)
    writer.member("has_index", true)
    writer.member("tick_size", number: FixedDecimal(units: 1, scale: pair.pricePrecision))
    writer.member("price_increment", number: FixedDecimal(units: 1, scale: pair.pricePrecision))
    writer.member("qty_min", number: FixedDecimal(units: 1000, scale: pair.quantityPrecision))
    writer.endObject()
  }

  static func begin(_ writer: inout JSONWriter, _ channel: String, _ type: String) {
    writer.beginObject()
    writer.member("channel", channel)
    writer.member("type", type)
    writer.key("data")
    writer.beginArray()
  }

  static func end(_ writer: inout JSONWriter) {
    writer.endArray()
    writer.endObject()
  }

  /// "2023-10-06T17:35:55.440295Z".
  static func time(_ writer: inout JSONWriter, _ time: Timestamp) {
    let microseconds = String(max(0, time.nanoseconds / 1000 % 1000))
    let padding = String(repeating: "0", count: 3 - microseconds.utf8.count)
    writer.string(String(time.description.dropLast()) + padding + microseconds + "Z")
  }
}
