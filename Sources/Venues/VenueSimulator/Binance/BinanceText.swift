import MarketModel
import OrderMatching
import WireJSON

/// Builds Binance's messages: prices and sizes are strings with eight decimals.
enum BinanceText {
  static let decimals = Scale(clamping: 8)

  /// A number with eight decimals.
  static func padded(_ value: FixedDecimal) -> FixedDecimal { value.exactly(at: decimals) ?? value }

  static func price(_ pair: SpotPair, _ ticks: Int64) -> FixedDecimal { padded(pair.price(ticks)) }

  static func size(_ pair: SpotPair, _ lots: Int64) -> FixedDecimal {
    padded(pair.quantity(lots: lots))
  }

  static func name(_ stream: SimulatedBinance.Channel, _ pair: SpotPair) -> String {
    "\(pair.symbol.lowercased())@\(stream.rawValue)"
  }

  private static func message(
    _ channel: SimulatedBinance.Channel, _ pair: SpotPair, _ data: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    JSONWriter.object(capacity: 1024) { writer in
      writer.member("stream", name(channel, pair))
      writer.object("data") { writer in
        data(&writer)
      }
    }
  }

  static func update(
    _ pair: SpotPair, first: Int64, last: Int64, bids: [BookLevel], asks: [BookLevel],
    at time: Timestamp
  ) -> [UInt8] {
    message(.book, pair) { writer in
      writer.member("e", "depthUpdate")
      writer.member("E", time.milliseconds)
      writer.member("s", pair.symbol)
      writer.member("U", first)
      writer.member("u", last)
      levels("b", bids, pair, &writer)
      levels("a", asks, pair, &writer)
    }
  }

  static func levels(
    _ key: StaticString, _ levels: [BookLevel], _ pair: SpotPair, _ writer: inout JSONWriter
  ) {
    writer.key(key)
    writer.arrays(levels) { writer, level in
      writer.decimalString(price(pair, level.price.units))
      writer.decimalString(size(pair, level.quantity.units))
    }
  }

  static func bestLevels(_ pair: SpotPair, _ top: TopLevels, last: Int64) -> [UInt8] {
    message(.bestLevels, pair) { writer in
      let zero = padded(FixedDecimal(units: 0, scale: .whole))
      let (bid, ask) = (top.bids.first, top.asks.first)
      writer.member("u", last)
      writer.member("s", pair.symbol)
      writer.member("b", decimal: bid.map { price(pair, $0.price.units) } ?? zero)
      writer.member(
        "B", decimal: bid.map { size(pair, $0.quantity.units) } ?? zero)
      writer.member("a", decimal: ask.map { price(pair, $0.price.units) } ?? zero)
      writer.member(
        "A", decimal: ask.map { size(pair, $0.quantity.units) } ?? zero)
    }
  }

  static func trade(_ pair: SpotPair, _ row: TapeTrade, at time: Timestamp) -> [UInt8] {
    message(.trades, pair) { writer in
      writer.member("e", "trade")
      writer.member("E", time.milliseconds + 1)
      writer.member("s", pair.symbol)
      writer.member("t", row.identifier)
      writer.member("p", decimal: price(pair, row.ticks))
      writer.member("q", decimal: size(pair, row.lots))
      writer.member("T", row.microseconds / 1000)
      writer.member("m", !row.isBuy)
      writer.member("M", true)
    }
  }

  /// A trade as an aggregate of itself alone.
  static func aggregate(_ pair: SpotPair, _ row: TapeTrade, at time: Timestamp) -> [UInt8] {
    message(.aggregates, pair) { writer in
      writer.member("e", "aggTrade")
      writer.member("E", time.milliseconds + 1)
      writer.member("s", pair.symbol)
      aggregateMembers(pair, row, &writer)
    }
  }

  /// The members of an aggregate, also of REST's: its number is that of its trade.
  static func aggregateMembers(_ pair: SpotPair, _ row: TapeTrade, _ writer: inout JSONWriter) {
    writer.member("a", row.identifier)
    writer.member("p", decimal: price(pair, row.ticks))
    writer.member("q", decimal: size(pair, row.lots))
    writer.member("f", row.identifier)
    writer.member("l", row.identifier)
    writer.member("T", row.microseconds / 1000)
    writer.member("m", !row.isBuy)
    writer.member("M", true)
  }

  /// A message of `/stream` as a client of `/ws` gets it: what is in `data` alone.
  static func unnamed(_ message: [UInt8]) -> [UInt8] {
    let inner = message.dropFirst().firstIndex(of: UInt8(ascii: "{")) ?? message.startIndex
    return Array(message[inner...].dropLast())
  }

  static func ticker(
    _ pair: SpotPair, _ day: DaySummary, _ top: TopLevels, at time: Timestamp
  ) -> [UInt8] {
    message(.ticker, pair) { writer in
      writer.member("e", "24hrTicker")
      writer.member("E", time.milliseconds)
      writer.member("s", pair.symbol)
      let (bid, ask) = (top.bids.first, top.asks.first)
      writer.members([
        ("p", padded(change(pair, day))), ("P", percent(day)), ("c", price(pair, day.traded.close)),
        ("b", bid.map { price(pair, $0.price.units) }),
        ("B", bid.map { size(pair, $0.quantity.units) }),
        ("a", ask.map { price(pair, $0.price.units) }),
        ("A", ask.map { size(pair, $0.quantity.units) }), ("o", price(pair, day.before)),
        ("h", price(pair, day.traded.high)), ("l", price(pair, day.traded.low)),
        ("v", size(pair, day.traded.lots)),
      ])
      writer.member("n", day.traded.count)
    }
  }

  static func change(_ pair: SpotPair, _ day: DaySummary) -> FixedDecimal {
    FixedDecimal(units: day.traded.close - day.before, scale: pair.pricePrecision)
  }

  /// With three decimals, as the venue has them.
  static func percent(_ day: DaySummary) -> FixedDecimal {
    FixedDecimal(units: day.changeBasisPoints * 10, scale: Scale(clamping: 3))
  }

  static func response(_ number: Int64?, streams: [String]? = nil) -> [UInt8] {
    JSONWriter.object { writer in
      writer.key("result")
      if let streams { writer.array(streams) { $0.string($1) } } else { writer.null() }
      if let number { writer.member("id", number) }
    }
  }

  static func failure(_ code: Int64, _ text: String) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("code", code)
      writer.member("msg", text)
    }
  }
}
