import MarketModel
import OrderMatching
import WireJSON

/// Builds OKX's messages: all numbers but sequences are strings, without trailing zeros.
enum OKXText {
  static func event(_ name: String, _ argument: OKXArgument, connection: String) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("event", name)
      writer.key("arg")
      argument.write(&writer)
      writer.member("connId", connection)
    }
  }

  static func error(_ code: String, _ text: String, connection: String) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("event", "error")
      writer.member("msg", text)
      writer.member("code", code)
      writer.member("connId", connection)
    }
  }

  static func book(
    _ action: String, _ pair: SpotPair, bids: [BookLevel], asks: [BookLevel], sequence: Int64,
    previous: Int64, checksum: Int32?, at time: Timestamp
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 32_768)
    begin("books", pair, action: action, &writer)
    sides(pair, bids: bids, asks: asks, &writer)
    writer.member("ts", String(time.milliseconds))
    if let checksum { writer.member("checksum", Int64(checksum)) }
    writer.member("seqId", sequence)
    writer.member("prevSeqId", previous)
    end(&writer)
    return writer.bytes
  }

  /// A message of `bbo-tbt` or `books5`: whole levels.
  static func levels(
    _ channel: String, _ pair: SpotPair, _ book: TopLevels, _ sequence: Int64, at time: Timestamp
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 1024)
    begin(channel, pair, &writer)
    sides(pair, bids: book.bids, asks: book.asks, &writer)
    if channel == "books5" { writer.member("instId", pair.symbol) }
    writer.member("ts", String(time.milliseconds))
    writer.member("seqId", sequence)
    end(&writer)
    return writer.bytes
  }

  static func trade(_ pair: SpotPair, _ row: OKXTradeRow) -> [UInt8] {
    var writer = JSONWriter()
    begin("trades", pair, &writer)
    writer.member("instId", pair.symbol)
    writer.member("tradeId", String(row.identifier))
    writer.member("px", decimal: pair.price(row.ticks))
    writer.member("sz", decimal: pair.quantity(lots: row.lots))
    writer.member("side", row.isBuy ? "buy" : "sell")
    writer.member("ts", String(row.milliseconds))
    writer.member("count", String(row.count))
    writer.member("source", "0")
    writer.member("seqId", row.sequence)
    end(&writer)
    return writer.bytes
  }

  static func ticker(
    _ pair: SpotPair, _ touch: TopLevels, _ day: DaySummary, lastLots: Int64, at time: Timestamp
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 512)
    begin("tickers", pair, &writer)
    tickerMembers(pair, touch, day, lastLots: lastLots, at: time, &writer)
    end(&writer)
    return writer.bytes
  }

  /// The members of a ticker, also of REST's.
  static func tickerMembers(
    _ pair: SpotPair, _ touch: TopLevels, _ day: DaySummary, lastLots: Int64, at time: Timestamp,
    _ writer: inout JSONWriter
  ) {
    func side(_ price: StaticString, _ size: StaticString, _ level: BookLevel?) {
      writer.member(price, level.map { pair.price($0.price.units).description } ?? "")
      writer.member(size, level.map { pair.quantity(lots: $0.quantity.units).description } ?? "")
    }
    writer.member("instType", "SPOT")
    writer.member("instId", pair.symbol)
    writer.member("last", decimal: pair.price(day.traded.close))
    writer.member("lastSz", decimal: pair.quantity(lots: lastLots))
    side("askPx", "askSz", touch.asks.first)
    side("bidPx", "bidSz", touch.bids.first)
    writer.member("open24h", decimal: pair.price(day.before))
    writer.member("high24h", decimal: pair.price(day.traded.high))
    writer.member("low24h", decimal: pair.price(day.traded.low))
    writer.member("sodUtc0", decimal: pair.price(day.before))
    writer.member("sodUtc8", decimal: pair.price(day.before))
    writer.member(
      "volCcy24h", decimal: pair.value(lots: day.traded.lots, average: day.traded.average))
    writer.member("vol24h", decimal: pair.quantity(lots: day.traded.lots))
    writer.member("ts", String(time.milliseconds))
  }

  /// `["1757076000000","112691.9",…,"1"]`.
  static func candle(
    _ writer: inout JSONWriter, _ pair: SpotPair, start: Int64, _ candle: TapeCandle,
    isClosed: Bool
  ) {
    writer.beginArray()
    writer.string(String(start))
    for ticks in [candle.open, candle.high, candle.low, candle.close] {
      writer.decimalString(pair.price(ticks))
    }
    writer.decimalString(pair.quantity(lots: candle.lots))
    let value = pair.value(lots: candle.lots, average: candle.average)
    writer.decimalString(value)
    writer.decimalString(value)
    writer.string(isClosed ? "1" : "0")
    writer.endArray()
  }

  static func instrument(_ writer: inout JSONWriter, _ pair: SpotPair) {
    writer.object { writer in
      for (key, value) in [
        ("alias", ""), ("baseCcy", pair.base), ("category", "1"), ("ctMult", ""), ("ctType", ""),
        ("ctVal", ""), ("ctValCcy", ""), ("expTime", ""), ("instFamily", ""),
        ("instId", pair.symbol), ("instType", "SPOT"), ("lever", ""), ("listTime", "1548133413000"),
        ("minSz", "0.00001"), ("maxLmtSz", "9999999999"), ("maxMktSz", "1000000"), ("optType", ""),
        ("quoteCcy", pair.quote), ("ruleType", "normal"), ("settleCcy", ""), ("state", "live"),
        ("stk", ""), ("uly", ""),
      ] {
        writer.key(text: key)
        writer.string(value)
      }
      writer.member("lotSz", decimal: pair.quantity(lots: 1))
      writer.member("tickSz", decimal: pair.price(1))
    }
  }

  /// The CRC-32 of `price:size` of 25 bids and asks in turn, by text.
  static func checksum(_ pair: SpotPair, _ book: TopLevels) -> Int32 {
    var parts: [String] = []
    for row in 0..<25 {
      for side in [book.bids, book.asks] where row < side.count {
        parts.append(pair.price(side[row].price.units).description)
        parts.append(pair.quantity(lots: side[row].quantity.units).description)
      }
    }
    var crc: UInt32 = .max
    for byte in parts.joined(separator: ":").utf8 {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    return Int32(bitPattern: ~crc)
  }

  private static func begin(
    _ channel: String, _ pair: SpotPair, action: String? = nil, _ writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("arg")
    OKXArgument(channel: channel, instrument: pair.symbol).write(&writer)
    if let action { writer.member("action", action) }
    writer.key("data")
    writer.beginArray()
    writer.beginObject()
  }

  private static func end(_ writer: inout JSONWriter) {
    writer.endObject()
    writer.endArray()
    writer.endObject()
  }

  static func sides(
    _ pair: SpotPair, bids: [BookLevel], asks: [BookLevel], _ writer: inout JSONWriter
  ) {
    for (key, levels) in [("asks", asks), ("bids", bids)] {
      writer.key(text: key)
      writer.arrays(levels) { writer, level in
        writer.decimalString(pair.price(level.price.units))
        writer.decimalString(pair.quantity(lots: level.quantity.units))
        writer.string("0")
        writer.string(String(level.orders))
      }
    }
  }
}

/// `{"channel":"books","instId":"BTC-USDT"}`.
struct OKXArgument: Sendable {
  var channel = ""
  var instrument: String?
  var instrumentType: String?

  func write(_ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("channel", channel)
      if let instrument { writer.member("instId", instrument) }
      if let instrumentType { writer.member("instType", instrumentType) }
    }
  }
}
