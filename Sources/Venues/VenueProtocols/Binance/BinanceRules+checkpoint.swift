// Writes Binance's messages from a session's state.

import MarketModel
import OrderBook
import WireJSON

extension BinanceRules {
  static func snapshot(
    of part: BookTopic.Part, _ number: Int, in market: BookMarket<Self>
  ) -> [[UInt8]] {
    let instrument = market.instruments[number]
    let scales = market.decoder.spelled[number]
    switch part {
    case .book: return [book(market.books.states[number], instrument.symbol, scales)]
    case .trades:
      return instrument.tape.trades.reversed().map { trade($0, instrument.symbol, scales) }
    case .figures: return instrument.figures.row.map { [figures($0, instrument.symbol)] } ?? []
    case .details: return [details(instrument.details, instrument.symbol, scales)]
    case .audit, .quote: return []
    }
  }

  /// As the venue refuses a snapshot for the rate of requests.
  static func refusal(of topic: BookTopic) -> [UInt8] {
    let request = topic.symbol.map { BinanceRequest.depth($0).path } ?? "/api/v3/depth"
    return FetchedResponse(path: request, status: 429, retryAfterSeconds: 1).message
  }

  private static func response(
    _ request: BinanceRequest, _ body: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 4096)
    writer.object { writer in
      body(&writer)
    }
    return FetchedResponse(path: request.path, status: 200, body: writer.bytes).message
  }

  private static func book(
    _ sync: BinanceBookSync, _ symbol: Symbol, _ scales: BookScales
  ) -> [UInt8] {
    response(.depth(symbol)) { writer in
      writer.member("lastUpdateId", sync.sequence ?? 0)
      writer.member("bids", levels: sync.book.levels(.bid), scales)
      writer.member("asks", levels: sync.book.levels(.ask), scales)
      for (key, edge) in [
        ("lowestBid" as StaticString, sync.edges.lowestBid), ("highestAsk", sync.edges.highestAsk),
      ] {
        if let edge { writer.member(key, decimal: FixedDecimal(units: edge, scale: scales.price)) }
      }
    }
  }

  private static func message(
    _ channel: BinanceChannel, _ symbol: Symbol, _ data: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    JSONWriter.object(capacity: 512) { writer in
      writer.member("stream", "\(symbol.text.lowercased())@\(channel.name)")
      writer.object("data") { writer in
        writer.member("s", symbol.text)
        data(&writer)
      }
    }
  }

  private static func trade(_ trade: Trade, _ symbol: Symbol, _ scales: BookScales) -> [UInt8] {
    message(.trades, symbol) { writer in
      writer.member("t", trade.identifier)
      writer.member("p", decimal: FixedDecimal(trade.price, scale: scales.price))
      writer.member("q", decimal: FixedDecimal(trade.size, scale: scales.quantity))
      writer.member("T", trade.time.milliseconds)
      writer.member("m", trade.side == .sell)
    }
  }

  private static func figures(_ row: DayFiguresRow, _ symbol: Symbol) -> [UInt8] {
    return message(.tickers, symbol) { writer in
      writer.members([
        ("c", row.last), ("p", row.change), ("P", row.changePercent), ("w", row.vwap),
        ("h", row.high), ("l", row.low), ("v", row.volume), ("b", row.bid), ("B", row.bidSize),
        ("a", row.ask), ("A", row.askSize),
      ])
      if row.last == nil { writer.member("c", "") }
      if let trades = row.trades { writer.member("n", trades) }
      if let time = row.time { writer.member("E", time.milliseconds) }
    }
  }

  /// With the scales in use as steps where the venue has stated none, so that a follower has the
  /// same scales.
  private static func details(
    _ details: BinanceDetails, _ symbol: Symbol, _ scales: BookScales
  ) -> [UInt8] {
    let tick = details.tickSize ?? FixedDecimal(units: 1, scale: scales.price)
    let step = FixedDecimal(units: 1, scale: scales.quantity)
    return response(.details(symbol)) { writer in
      writer.objects("symbols", [symbol]) { writer, symbol in
        writer.member("symbol", symbol.text)
        writer.member("status", details.isTrading ? "TRADING" : "BREAK")
        writer.array("filters") { writer in
          writer.object { writer in
            writer.member("filterType", "PRICE_FILTER")
            writer.member("tickSize", decimal: tick)
          }
          writer.object { writer in
            writer.member("filterType", "LOT_SIZE")
            writer.member("stepSize", decimal: details.stepSize ?? step)
          }
        }
      }
    }
  }
}
