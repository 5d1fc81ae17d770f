// Writes OKX's messages from a session's state.

import MarketModel
import OrderBook
import WireJSON

extension OKXRules {
  /// The state of the venue; there is no greeting.
  static func greeting(of session: BookSession<Self>) -> [[UInt8]] {
    var writer = JSONWriter()
    writer.beginObject()
    argument("status", nil, &writer)
    writer.key("data")
    writer.beginArray()
    writer.beginObject()
    writer.member("state", session.market.isInMaintenance ? "ongoing" : "completed")
    writer.member("serviceType", "0")
    writer.endObject()
    writer.endArray()
    writer.endObject()
    return [writer.bytes]
  }

  static func snapshot(
    of part: BookTopic.Part, _ number: Int, in market: BookMarket<Self>
  ) -> [[UInt8]] {
    let symbol = market.instruments[number].symbol
    let scales = market.decoder.spelled[number]
    switch part {
    case .book: return [book(market.books.states[number], symbol, scales)]
    case .trades:
      let tape = market.instruments[number].tape
      return tape.numbers.latest == nil ? [] : [trades(tape.trades, symbol, scales)]
    case .figures:
      return market.instruments[number].figures.row.map { [figures($0, symbol)] } ?? []
    case .audit, .quote, .details: return []
    }
  }

  static func refusal(of topic: BookTopic) -> [UInt8] {
    let channel = OKXRequests.channel(of: topic).name
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("event", "error")
    writer.member("code", "60014")
    writer.member(
      "msg", "Requests too frequent. channel:\(channel),instId:\(topic.symbol?.text ?? "")")
    writer.endObject()
    return writer.bytes
  }

  private static func argument(
    _ channel: String, _ symbol: Symbol?, _ writer: inout JSONWriter
  ) {
    writer.key("arg")
    writer.beginObject()
    writer.member("channel", channel)
    if let symbol { writer.member("instId", symbol.text) }
    writer.endObject()
  }

  private static func book(
    _ sync: OKXBookSync, _ symbol: Symbol, _ scales: BookScales
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 32_768)
    writer.beginObject()
    argument("books", symbol, &writer)
    writer.member("action", "snapshot")
    writer.key("data")
    writer.beginArray()
    writer.beginObject()
    writer.member("asks", levels: sync.book.levels(.ask), scales)
    writer.member("bids", levels: sync.book.levels(.bid), scales)
    if let sequence = sync.sequence { writer.member("seqId", sequence) }
    writer.member("prevSeqId", -1)
    writer.endObject()
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  /// Oldest first.
  private static func trades(
    _ trades: [Trade], _ symbol: Symbol, _ scales: BookScales
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    argument("trades", symbol, &writer)
    writer.key("data")
    writer.beginArray()
    for trade in trades.reversed() {
      writer.beginObject()
      writer.member("tradeId", String(trade.identifier))
      writer.member("count", String(trade.covered))
      writer.member("px", decimal: FixedDecimal(trade.price, scale: scales.price))
      writer.member("sz", decimal: FixedDecimal(trade.size, scale: scales.quantity))
      writer.member("side", trade.side == .sell ? "sell" : "buy")
      writer.member("ts", String(trade.time.milliseconds))
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  private static func figures(_ row: DayFiguresRow, _ symbol: Symbol) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    argument("tickers", symbol, &writer)
    writer.key("data")
    writer.beginArray()
    writer.beginObject()
    writer.member("instId", symbol.text)
    let figures: [(StaticString, FixedDecimal?)] = [
      ("last", row.last), ("askPx", row.ask), ("askSz", row.askSize), ("bidPx", row.bid),
      ("bidSz", row.bidSize), ("open24h", row.open), ("high24h", row.high), ("low24h", row.low),
      ("vol24h", row.volume),
    ]
    for (key, value) in figures {
      guard let value else { continue }
      writer.member(key, decimal: value)
    }
    if let time = row.time { writer.member("ts", String(time.milliseconds)) }
    writer.endObject()
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
