// Orders and candles as scripts read them.

import AppState
import ChartModel
import MarketModel
import MarketStreams
import PaperTrading
import WireJSON

extension ScriptObjects {
  /// The newest orders and all open ones, newest first, and how far the ledger is.
  static func orders(_ state: OrdersState, _ freshness: Freshness) -> PageObject {
    let newest = state.rows.prefix(maximumOrders)
    let older = state.openRows.filter { row in newest.last.map { row.id < $0.id } ?? false }
    var object = orders(Array(newest) + older, freshness)
    object.set("total", integer: state.total)
    object.set("openCount", integer: state.openCount)
    object.set(state.storage)
    object.set("failure", text: state.failure)
    return object
  }

  /// A list of orders.
  static func orders(_ rows: [OrderRowState], _ freshness: Freshness) -> PageObject {
    var object = PageObject()
    object.begin("orders", of: nil, freshness)
    object.set("orders", .array(rows.map { order($0).value }))
    return object
  }

  /// One order.
  static func order(_ row: OrderRowState) -> PageObject {
    var object = PageObject()
    object.set("id", text: row.id.description)
    object.set("clientId", text: row.clientIdentifier.text)
    object.set("symbol", text: row.symbol.text)
    object.set("status", text: row.status.rawValue)
    object.set("type", text: row.limit == nil ? "market" : "limit")
    object.set("side", text: row.side.rawValue)
    object.set("quantity", decimal: row.quantity)
    object.set("filled", decimal: row.filled)
    object.set("open", decimal: row.open)
    object.set("cancelled", decimal: row.cancelled)
    object.set("price", decimal: row.limit)
    object.set("protection", decimal: row.protection)
    object.set("timeInForce", text: row.timeInForce.rawValue)
    object.set("average", decimal: row.average)
    object.set("slippage", decimal: row.slippage)
    object.set("amendments", integer: row.amendments)
    object.set("placedAt", time: row.placedAt)
    object.set("changedAt", time: row.changedAt)
    object.set("reason", text: row.reason.map(plain))
    object.set("fills", objects: row.fills) { entry, fill in
      entry.set("at", time: fill.time)
      entry.set("price", decimal: fill.price)
      entry.set("quantity", decimal: fill.quantity)
    }
    return object
  }

  /// A sentence without the marks that let a page write its figures in the reader's way.
  static func plain(_ sentence: String) -> String {
    let told = sentence.split(separator: "{at}", omittingEmptySubsequences: false)
      .joined(separator: "then")
    return String(told.filter { $0 != "{" && $0 != "}" })
  }

  /// The members of an object of candles that come after its beginning.
  static func add(_ page: CandlePage, to object: inout PageObject) {
    object.set("interval", integer: page.interval.milliseconds)
    object.set("history", text: page.status.name)
    object.set("hasOlder", boolean: page.hasOlder)
    let span = page.candles.first.map { first in
      first.start..<((page.candles.last?.start ?? first.start) + page.interval.milliseconds)
    }
    let gaps = page.gaps.filter { gap in
      span.map { gap.start < $0.upperBound && gap.end > $0.lowerBound } ?? false
    }
    object.setObject("coverage") { coverage in
      let isWhole = gaps.isEmpty && page.candles.allSatisfy { $0.missing == 0 }
      coverage.set("whole", page.candles.isEmpty ? .null : .boolean(isWhole))
      coverage.set("seenSince", integer: page.seenSince)
      coverage.set("gaps", objects: gaps) { entry, gap in
        entry.set("from", integer: gap.start)
        entry.set("to", integer: gap.end)
      }
    }
    object.set("candles", .array(page.candles.map { candle($0, page) }))
  }

  private static func candle(_ candle: Candle, _ page: CandlePage) -> PageValue {
    var entry = PageObject()
    entry.set("start", integer: candle.start)
    entry.set("open", decimal: FixedDecimal(candle.open, scale: page.priceScale).trimmed)
    entry.set("high", decimal: FixedDecimal(candle.high, scale: page.priceScale).trimmed)
    entry.set("low", decimal: FixedDecimal(candle.low, scale: page.priceScale).trimmed)
    entry.set("close", decimal: FixedDecimal(candle.close, scale: page.priceScale).trimmed)
    entry.set("volume", decimal: FixedDecimal(candle.volume, scale: page.quantityScale).trimmed)
    entry.set("trades", integer: candle.count)
    entry.set("missing", integer: candle.missing)
    entry.set("source", text: candle.source.name)
    switch candle.proof {
    case .none: entry.set("proof", text: "none")
    case .proven: entry.set("proof", text: "proven")
    case .contradicted: entry.set("proof", text: "contradicted")
    }
    return entry.value
  }
}
