import MarketModel
import OrderMatching
import WireJSON

/// Builds Bybit's messages: prices and sizes are strings, numbers and times are numbers.
struct BybitText {
  /// A member of a ticker.
  struct Member: Sendable {
    let key: StaticString
    let value: FixedDecimal
  }

  let category: BybitCategory

  static func response(
    _ operation: String, isSuccess: Bool, _ text: String, request: String?, connection: String
  ) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("success", isSuccess)
      writer.member("ret_msg", text)
      writer.member("conn_id", connection)
      if let request { writer.member("req_id", request) }
      writer.member("op", operation)
    }
  }

  // MARK: Numbers

  /// Perpetuals have zeros at the end: "61874.00", "3.500".
  func price(_ pair: SpotPair, _ ticks: Int64) -> FixedDecimal {
    let price = pair.price(ticks)
    if category == .spot { return price }
    return price.exactly(at: max(pair.pricePrecision, Scale(clamping: 2))) ?? price
  }

  func size(_ pair: SpotPair, _ lots: Int64) -> FixedDecimal {
    let size = pair.quantity(lots: lots)
    if category == .spot { return size }
    return size.exactly(at: pair.quantity(lots: 1).scale) ?? size
  }

  // MARK: Books and trades

  func book(
    _ depth: Int, _ pair: SpotPair, type: String, bids: [BookLevel], asks: [BookLevel],
    update: Int64, sequence: Int64, at time: Timestamp
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 4096)
    begin("orderbook.\(depth)", pair, type: type, at: time, &writer)
    writer.object { writer in
      writer.member("s", pair.symbol)
      sides(pair, bids: bids, asks: asks, &writer)
      writer.member("u", update)
      writer.member("seq", sequence)
    }
    writer.member("cts", time.milliseconds)
    writer.endObject()
    return writer.bytes
  }

  func sides(_ pair: SpotPair, bids: [BookLevel], asks: [BookLevel], _ writer: inout JSONWriter) {
    for (key, levels) in [("b" as StaticString, bids), ("a", asks)] {
      writer.key(key)
      writer.arrays(levels) { writer, level in
        writer.decimalString(price(pair, level.price.units))
        writer.decimalString(size(pair, level.quantity.units))
      }
    }
  }

  func trades(
    _ pair: SpotPair, _ rows: [TapeTrade], _ identifiers: [String], sequence: Int64,
    at time: Timestamp
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 1024)
    begin("publicTrade", pair, type: "snapshot", at: time, &writer)
    writer.objects(nil, Array(zip(rows, identifiers))) { writer, row in
      writer.member("i", row.1)
      writer.member("T", row.0.microseconds / 1000)
      writer.member("p", decimal: price(pair, row.0.ticks))
      writer.member("v", decimal: size(pair, row.0.lots))
      writer.member("S", row.0.isBuy ? "Buy" : "Sell")
      writer.member("seq", sequence)
      writer.member("s", pair.symbol)
      writer.member("BT", false)
      writer.member("RPI", false)
    }
    writer.endObject()
    return writer.bytes
  }

  // MARK: Tickers

  func ticker(
    _ pair: SpotPair, _ members: [Member], isDelta: Bool = false, at time: Timestamp
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 1024)
    begin("tickers", pair, type: isDelta ? "delta" : "snapshot", at: time, &writer)
    writer.object { writer in
      writer.member("symbol", pair.symbol)
      self.members(members, &writer)
    }
    writer.endObject()
    return writer.bytes
  }

  func members(_ members: [Member], _ writer: inout JSONWriter) {
    for member in members { writer.member(member.key, decimal: member.value) }
  }

  /// The members of a ticker, also of REST's.
  func figures(_ pair: SpotPair, _ day: DaySummary) -> [Member] {
    [
      Member(key: "lastPrice", value: price(pair, day.traded.close)),
      Member(key: "highPrice24h", value: price(pair, day.traded.high)),
      Member(key: "lowPrice24h", value: price(pair, day.traded.low)),
      Member(key: "prevPrice24h", value: price(pair, day.before)),
      Member(key: "volume24h", value: size(pair, day.traded.lots)),
      Member(
        key: "turnover24h",
        value: pair.value(lots: day.traded.lots, average: day.traded.average)),
      Member(
        key: "price24hPcnt",
        value: FixedDecimal(units: day.changeBasisPoints, scale: Scale(clamping: 4))),
    ]
  }

  /// The best levels in REST's ticker and in a perpetual's; 0 for an empty side.
  ///
  /// The stream's ticker of a spot pair has none.
  func bestLevels(_ pair: SpotPair, _ top: TopLevels) -> [Member] {
    let (bid, ask) = (top.bids.first, top.asks.first)
    return [
      Member(key: "bid1Price", value: price(pair, bid?.price.units ?? 0)),
      Member(key: "bid1Size", value: size(pair, bid?.quantity.units ?? 0)),
      Member(key: "ask1Price", value: price(pair, ask?.price.units ?? 0)),
      Member(key: "ask1Size", value: size(pair, ask?.quantity.units ?? 0)),
    ]
  }

  /// Derivatives have another order of keys.
  private func begin(
    _ channel: String, _ pair: SpotPair, type: String, at time: Timestamp,
    _ writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("topic", "\(channel).\(pair.symbol)")
    if category == .linear { writer.member("type", type) }
    writer.member("ts", time.milliseconds + 2)
    if category == .spot { writer.member("type", type) }
    writer.key("data")
  }
}
