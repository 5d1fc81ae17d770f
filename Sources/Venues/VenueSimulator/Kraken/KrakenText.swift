import MarketModel
import OrderMatching
import WireJSON

/// Builds Kraken's messages: numbers with all digits of their precision, times with microseconds.
enum KrakenText {
  static func status(connection: UInt64) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("channel", "status")
      writer.member("type", "update")
      writer.objects("data", [connection]) { writer, connection in
        writer.member("version", "2.0.10")
        writer.member("system", "online")
        writer.member("api_version", "v2")
        writer.member("connection_id", connection)
        writer.key("upcoming_maintenance")
        writer.raw("[]")
        writer.key("emergency")
        writer.raw("[]")
      }
    }
  }

  static let heartbeat = Array(#"{"channel":"heartbeat"}"#.utf8)

  static func pong(_ identifier: Int64?, at now: Timestamp) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("method", "pong")
    end(&writer, identifier, at: now)
    return writer.bytes
  }

  /// The response to an accepted request for one symbol, or for the pairs when `symbol` is nil.
  static func acknowledgement(
    _ request: KrakenRequest, _ symbol: String?, at now: Timestamp
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("method", request.method)
    writer.object("result") { writer in
      writer.member("channel", request.channel)
      if request.channel == "book" { writer.member("depth", request.depth) }
      if request.channel == "ticker" { writer.member("event_trigger", request.trigger) }
      if request.method == "subscribe" { writer.member("snapshot", request.wantsSnapshot) }
      if let symbol { writer.member("symbol", symbol) }
    }
    writer.member("success", true)
    end(&writer, request.identifier, at: now)
    return writer.bytes
  }

  /// The response to a refused request, or to its part for one symbol.
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

  /// A book message; `checksum` is of the whole resulting book.
  static func book(
    _ type: String, _ pair: KrakenPair, bids: [KrakenBookLevel], asks: [KrakenBookLevel],
    checksum: UInt32, at now: Timestamp
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 256 + 48 * (bids.count + asks.count))
    begin(&writer, "book", type)
    writer.object { writer in
      writer.member("symbol", pair.symbol)
      writer.key("bids")
      levels(&writer, bids, pair)
      writer.key("asks")
      levels(&writer, asks, pair)
      writer.member("checksum", checksum)
      writer.key("timestamp")
      time(&writer, now)
    }
    end(&writer)
    return writer.bytes
  }

  /// Both sides of a book in a public call: price, quantity, and a time, which is `now` where the
  /// venue has that of the level's change.
  static func levels(
    _ writer: inout JSONWriter, _ book: KrakenTopBook, _ pair: KrakenPair, at now: Timestamp
  ) {
    writer.object { writer in
      for (key, levels) in [("asks" as StaticString, book.asks), ("bids", book.bids)] {
        writer.key(key)
        writer.arrays(levels) { writer, level in
          writer.decimalString(pair.price(level.ticks))
          writer.decimalString(FixedDecimal(units: level.units, scale: pair.quantityPrecision))
          writer.integer(now.milliseconds / 1000)
        }
      }
    }
  }

  private static func levels(
    _ writer: inout JSONWriter, _ levels: [KrakenBookLevel], _ pair: KrakenPair
  ) {
    writer.objects(nil, levels) { writer, level in
      writer.member("price", number: pair.price(level.ticks))
      writer.member("qty", number: FixedDecimal(units: level.units, scale: pair.quantityPrecision))
    }
  }

  /// Trades of one pair, oldest first.
  static func trades(_ type: String, _ pair: KrakenPair, _ trades: [TapeTrade]) -> [UInt8] {
    var writer = JSONWriter(capacity: 256 + 160 * trades.count)
    begin(&writer, "trade", type)
    for trade in trades {
      writer.object { writer in
        writer.member("symbol", pair.symbol)
        writer.member("side", trade.isBuy ? "buy" : "sell")
        writer.member("price", number: pair.price(trade.ticks))
        writer.member("qty", number: pair.quantity(lots: trade.lots))
        writer.member("ord_type", trade.isMarketOrder ? "market" : "limit")
        writer.member("trade_id", trade.identifier)
        writer.key("timestamp")
        time(&writer, Timestamp(nanoseconds: trade.microseconds &* 1000))
      }
    }
    end(&writer)
    return writer.bytes
  }

  static func instruments(_ pairs: [KrakenPair]) -> [UInt8] {
    JSONWriter.object(capacity: 4096) { writer in
      writer.member("channel", "instrument")
      writer.member("type", "snapshot")
      writer.object("data") { writer in
        writer.array("assets") { writer in
          for asset in Set(pairs.flatMap { [$0.base, $0.quote] }).sorted() {
            self.asset(&writer, asset)
          }
        }
        writer.member("pairs", array: pairs) { self.pair(&$0, $1) }
      }
    }
  }

  private static func asset(_ writer: inout JSONWriter, _ name: String) {
    writer.object { writer in
      writer.member("id", name)
      writer.member("status", "enabled")
      writer.member("precision", name == "USD" ? 4 : 10)
      writer.member("precision_display", name == "USD" ? 2 : 5)
      writer.member("borrowable", true)
    }
  }

  private static func pair(_ writer: inout JSONWriter, _ pair: KrakenPair) {
    writer.object { writer in
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
    }
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

// MARK: - REST

// Numbers and strings are mixed like at the real venue.

extension KrakenText {
  /// `[1762777200,"106038.1","106044.3","106038.1","106040.1","106039.6","0.08317981",3]`.
  static func candle(
    _ writer: inout JSONWriter, _ pair: KrakenPair, _ seconds: Int64, _ candle: TapeCandle
  ) {
    writer.beginArray()
    writer.integer(seconds)
    for ticks in [candle.open, candle.high, candle.low, candle.close] {
      writer.decimalString(pair.price(ticks))
    }
    if candle.count > 0 {
      writer.decimalString(pair.price((candle.average + 500) / 1000))
    } else {
      writer.string("0.0")
    }
    writer.decimalString(pair.quantity(lots: candle.lots))
    writer.integer(candle.count)
    writer.endArray()
  }

  /// `["105433.60000","0.00027625",1762795433.9717445,"b","l","",10218208]`; time in 100 ns.
  static func trade(_ writer: inout JSONWriter, _ pair: KrakenPair, _ trade: TapeTrade) {
    let five = Scale(clamping: max(5, pair.pricePrecision.digits))
    let price = pair.price(trade.ticks)
    writer.beginArray()
    writer.decimalString(price.exactly(at: five) ?? price)
    writer.decimalString(pair.quantity(lots: trade.lots))
    writer.number(FixedDecimal(units: trade.nanoseconds / 100, scale: Scale(clamping: 7)).trimmed)
    writer.string(trade.isBuy ? "b" : "s")
    writer.string(trade.isMarketOrder ? "m" : "l")
    writer.string("")
    writer.integer(trade.identifier)
    writer.endArray()
  }

  /// A pair's figures; the open is that of 00:00 UTC.
  static func day(
    _ writer: inout JSONWriter, _ pair: KrakenPair, _ top: MarketTop, _ last: TapeTrade?,
    today: DaySummary, day: DaySummary
  ) {
    writer.object { writer in
      let prices = top.prices
      let sides: [(StaticString, Int64, FixedDecimal)] = [
        ("a", prices.ask, pair.quantity(top.ask?.quantity ?? .zero)),
        ("b", prices.bid, pair.quantity(top.bid?.quantity ?? .zero)),
      ]
      for (name, ticks, quantity) in sides {
        writer.key(name)
        writer.beginArray()
        writer.decimalString(pair.price(ticks))
        writer.string(String(quantity.units / quantity.scale.unitsPerWhole))
        writer.decimalString(
          quantity.rounded(to: Scale(clamping: 3)) ?? FixedDecimal(units: 0, scale: .whole))
        writer.endArray()
      }
      pairOfTexts(
        &writer, "c", pair.price(last?.ticks ?? day.traded.close),
        pair.quantity(lots: last?.lots ?? 0))
      let both = (today.traded, day.traded)
      pairOfTexts(&writer, "v", pair.quantity(lots: both.0.lots), pair.quantity(lots: both.1.lots))
      pairOfTexts(
        &writer, "p", pair.price((both.0.average + 500) / 1000),
        pair.price((both.1.average + 500) / 1000))
      writer.array("t") { writer in
        writer.integer(both.0.count)
        writer.integer(both.1.count)
      }
      pairOfTexts(&writer, "l", pair.price(both.0.low), pair.price(both.1.low))
      pairOfTexts(&writer, "h", pair.price(both.0.high), pair.price(both.1.high))
      writer.member("o", decimal: pair.price(both.0.open))
    }
  }

  private static func pairOfTexts(
    _ writer: inout JSONWriter, _ name: StaticString, _ first: FixedDecimal, _ second: FixedDecimal
  ) {
    writer.key(name)
    writer.beginArray()
    writer.decimalString(first)
    writer.decimalString(second)
    writer.endArray()
  }

  private static func assetPair(_ writer: inout JSONWriter, _ pair: KrakenPair) {
    let tick = FixedDecimal(units: 1, scale: pair.pricePrecision)
    writer.object { writer in
      writer.member("altname", pair.alternativeName)
      writer.member("wsname", pair.slashedName)
      writer.member("aclass_base", pair.isToken ? "tokenized_asset" : "currency")
      writer.member("base", KrakenAssetName.key(pair.base))
      writer.member("aclass_quote", "currency")
      writer.member("quote", KrakenAssetName.key(pair.quote))
      writer.member("lot", "unit")
      writer.member("cost_decimals", 5)
      writer.member("pair_decimals", pair.pricePrecision.digits)
      writer.member("lot_decimals", pair.quantityPrecision.digits)
      writer.member("lot_multiplier", 1)
      for name in ["leverage_buy", "leverage_sell"] as [StaticString] {
        writer.key(name)
        writer.raw("[]")
      }
      writer.key("fees")
      writer.raw("[[0,0.4],[10000,0.35],[50000,0.24],[100000,0.22],[250000,0.2],[10000000,0.1]]")
      writer.key("fees_maker")
      writer.raw("[[0,0.25],[10000,0.2],[50000,0.14],[100000,0.12],[250000,0.1],[10000000,0]]")
      writer.member("fee_volume_currency", "ZUSD")
      writer.member("margin_call", 80)
      writer.member("margin_stop", 40)
      writer.key("ordermin")
      writer.decimalString(FixedDecimal(units: 1000, scale: pair.quantityPrecision).trimmed)
      writer.member("costmin", "0.5")
      writer.member("tick_size", decimal: tick)
      writer.member("status", pair.status.rawValue)
    }
  }

  static func assetPairs(_ pairs: [KrakenPair]) -> [UInt8] {
    JSONWriter.object(capacity: 1024) { writer in
      for pair in pairs {
        writer.key(text: pair.internalKey)
        assetPair(&writer, pair)
      }
    }
  }

  static func assets(_ writer: inout JSONWriter, _ pairs: [KrakenPair]) {
    writer.object { writer in
      for name in Set(pairs.filter { !$0.isToken }.flatMap { [$0.base, $0.quote] }).sorted() {
        writer.key(text: KrakenAssetName.key(name))
        writer.object { writer in
          writer.member("aclass", "currency")
          writer.member("altname", KrakenAssetName.older(name))
          writer.member("decimals", name == "USD" ? 4 : 10)
          writer.member("display_decimals", name == "USD" ? 2 : 5)
          writer.member("status", "enabled")
        }
      }
    }
  }

  /// `{"status":"online","timestamp":"2025-11-11T00:17:10Z"}`.
  static func systemStatus(_ writer: inout JSONWriter, at now: Timestamp) {
    writer.object { writer in
      writer.member("status", "online")
      writer.member("timestamp", String(now.description.prefix(19)) + "Z")
    }
  }

  /// The venue's clock, in two formats.
  static func serverTime(_ writer: inout JSONWriter, at now: Timestamp) {
    let seconds = PastTrading.divide(now.milliseconds, 1000)
    let day = PastTrading.divide(seconds, 86_400)
    // 1 January 1970 was a Thursday.
    let weekday = Int(((day + 3) % 7 + 7) % 7)
    let text = Array(now.description)
    let month = Int(String(text[5...6])) ?? 1
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    writer.object { writer in
      writer.member("unixtime", seconds)
      let date = "\(String(text[8...9])) \(months[month - 1]) \(String(text[2...3]))"
      writer.member("rfc1123", "\(names[weekday]), \(date) \(String(text[11...18])) +0000")
    }
  }
}
