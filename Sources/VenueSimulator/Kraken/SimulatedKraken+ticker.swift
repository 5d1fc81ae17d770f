// The `ticker` channel: best prices, and the figures of the last 24 hours.

import MarketModel
import OrderMatching
import WireJSON

/// Best prices at a time.
struct KrakenTouch: Sendable, Equatable {
  let bid: BookLevel?
  let ask: BookLevel?
  let time: Timestamp

  init(_ top: MarketTop, at time: Timestamp) {
    (bid, ask, self.time) = (top.bid, top.ask, time)
  }

  /// Whether prices and sizes are the same, whenever.
  func shows(_ other: KrakenTouch) -> Bool { bid == other.bid && ask == other.ask }
}

/// A pair's figures of a day, and what they were found at.
struct KrakenFigures: Sendable {
  let minute: Int64
  let lastTrade: Int64
  /// Of the last 1,440 minutes, the present one among them.
  let summary: DaySummary
}

extension SimulatedKraken {
  /// The figures of the last 24 hours: whole minutes, and the present one.
  mutating func summary(of index: Int, at now: Timestamp) -> DaySummary {
    let minute = MarketTape.minute(MarketTape.microseconds(now))
    let lastTrade = tapes[index].lastIdentifier
    if let known = figures[index], known.minute == minute, known.lastTrade == lastTrade {
      return known.summary
    }
    let summary = tapes[index].summary(from: minute - 1439, at: minute)
    figures[index] = KrakenFigures(minute: minute, lastTrade: lastTrade, summary: summary)
    return summary
  }

  /// A ticker message: with `trades` the best prices are those at the latest trade.
  mutating func ticker(
    _ type: String, _ index: Int, _ trigger: KrakenTrigger, at now: Timestamp
  ) -> [UInt8] {
    let touch =
      trigger == .trades
      ? touches[index] : KrakenTouch(market.instruments[index].top, at: now)
    return KrakenText.ticker(type, pairs[index], touch, summary(of: index, at: now))
  }

  /// Tells the listeners of a pair's tickers what an event changed.
  mutating func tellTickers(
    of index: Int, traded: Bool, at time: Timestamp, _ effects: inout [VenueEffect]
  ) {
    for trigger in KrakenTrigger.allCases {
      let listeners = clients.listeners(.ticker(pair: index, trigger))
      if listeners.isEmpty { continue }
      if trigger == .trades, !traded { continue }
      if trigger == .bbo {
        let touch = KrakenTouch(market.instruments[index].top, at: time)
        if publishedTouches[index]?.shows(touch) == true { continue }
        publishedTouches[index] = touch
      }
      let bytes = ticker("update", index, trigger, at: time)
      clients.tell(listeners, at: time)
      effects.append(.send(to: listeners, bytes: bytes, binary: false))
    }
  }
}

extension KrakenText {
  /// Best prices and a day's figures; an empty side stands at the last price, with nothing there.
  static func ticker(
    _ type: String, _ pair: KrakenPair, _ touch: KrakenTouch, _ day: DaySummary
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 384)
    begin(&writer, "ticker", type)
    writer.beginObject()
    writer.member("symbol", pair.symbol)
    writer.member("bid", number: pair.price(touch.bid?.price.units ?? day.traded.close))
    writer.member("bid_qty", number: pair.quantity(touch.bid?.quantity ?? .zero))
    writer.member("ask", number: pair.price(touch.ask?.price.units ?? day.traded.close))
    writer.member("ask_qty", number: pair.quantity(touch.ask?.quantity ?? .zero))
    let prices: [(StaticString, Int64)] = [
      ("vwap", (day.traded.average + 500) / 1000), ("low", day.traded.low),
      ("high", day.traded.high), ("change", day.change),
    ]
    writer.member("last", number: pair.price(day.traded.close))
    writer.member("volume", number: pair.quantity(lots: day.traded.lots))
    for (name, ticks) in prices {
      writer.key(name)
      writer.number(pair.price(ticks))
    }
    writer.member(
      "change_pct", number: FixedDecimal(units: day.changeBasisPoints, scale: Scale(clamping: 2)))
    writer.member("trades", day.traded.count)
    writer.key("timestamp")
    time(&writer, touch.time)
    writer.endObject()
    end(&writer)
    return writer.bytes
  }
}
