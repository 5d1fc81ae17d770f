// Writes OKX's messages from a session's state.

import MarketModel
import OrderBook
import WireJSON

extension OKXRules {
  /// The state of the venue; there is no greeting.
  static func greeting(of session: BookSession<Self>) -> [[UInt8]] {
    var writer = JSONWriter()
    writer.object { writer in
      argument("status", nil, &writer)
      writer.objects("data", [session.market]) { writer, market in
        writer.member("state", market.isInMaintenance ? "ongoing" : "completed")
        writer.member("serviceType", "0")
      }
    }
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
    case .figures: return market.instruments[number].figures.row.map { [figures($0, symbol)] } ?? []
    case .audit, .quote, .details: return []
    }
  }

  static func refusal(of topic: BookTopic) -> [UInt8] {
    let channel = OKXRequests.channel(of: topic).name
    return JSONWriter.object { writer in
      writer.member("event", "error")
      writer.member("code", "60014")
      writer.member(
        "msg", "Requests too frequent. channel:\(channel),instId:\(topic.symbol?.text ?? "")")
    }
  }

  private static func argument(_ channel: String, _ symbol: Symbol?, _ writer: inout JSONWriter) {
    writer.object("arg") { writer in
      writer.member("channel", channel)
      if let symbol { writer.member("instId", symbol.text) }
    }
  }

  private static func book(_ sync: OKXBookSync, _ symbol: Symbol, _ scales: BookScales) -> [UInt8] {
    JSONWriter.object(capacity: 32_768) { writer in
      argument("books", symbol, &writer)
      writer.member("action", "snapshot")
      writer.objects("data", [sync]) { writer, sync in
        writer.member("asks", levels: sync.book.levels(.ask), scales)
        writer.member("bids", levels: sync.book.levels(.bid), scales)
        if let sequence = sync.sequence { writer.member("seqId", sequence) }
        writer.member("prevSeqId", -1)
      }
    }
  }

  /// Oldest first.
  private static func trades(_ trades: [Trade], _ symbol: Symbol, _ scales: BookScales) -> [UInt8] {
    JSONWriter.object(capacity: 4096) { writer in
      argument("trades", symbol, &writer)
      writer.objects("data", trades.reversed()) { writer, trade in
        writer.member("tradeId", String(trade.identifier))
        writer.member("count", String(trade.covered))
        writer.member("px", decimal: FixedDecimal(trade.price, scale: scales.price))
        writer.member("sz", decimal: FixedDecimal(trade.size, scale: scales.quantity))
        writer.member("side", trade.side == .sell ? "sell" : "buy")
        writer.member("ts", String(trade.time.milliseconds))
      }
    }
  }

  private static func figures(_ row: DayFiguresRow, _ symbol: Symbol) -> [UInt8] {
    JSONWriter.object { writer in
      argument("tickers", symbol, &writer)
      writer.objects("data", [row]) { writer, row in
        writer.member("instId", symbol.text)
        writer.members([
          ("last", row.last), ("askPx", row.ask), ("askSz", row.askSize), ("bidPx", row.bid),
          ("bidSz", row.bidSize), ("open24h", row.open), ("high24h", row.high),
          ("low24h", row.low),
          ("vol24h", row.volume),
        ])
        if let time = row.time { writer.member("ts", String(time.milliseconds)) }
      }
    }
  }
}
