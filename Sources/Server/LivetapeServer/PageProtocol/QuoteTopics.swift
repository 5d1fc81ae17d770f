import AppState
import MarketModel
import WireJSON

extension FeedState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("running", boolean: running)
    object.set("connection", text: connection.rawValue)
    object.set("currency", text: currency)
    object.set("decimals", integer: decimals.digits)
    object.set("freshness", freshness: freshness)
    object.set("order", array: order) { $0.string($1.text) }
    object.setObject("rows") { rows in
      // Sorted, so that two states compare key by key.
      for symbol in self.rows.keys.sorted() {
        guard let row = self.rows[symbol] else { continue }
        rows.setObject(symbol.text) { entry in
          entry.set("name", text: row.name)
          entry.setQuote(price: row.price, direction: row.direction, changes: row.changes)
        }
      }
    }
    return object.value
  }
}

extension SymbolState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("symbol", text: symbol.text)
    object.set("known", boolean: details != nil)
    guard let details else { return object.value }
    object.set("name", text: details.name)
    object.set("description", text: details.about)
    object.set("currency", text: details.currency)
    object.set("decimals", integer: details.decimals.digits)
    object.setQuote(
      price: details.price, direction: details.direction, changes: details.changes)
    object.set("freshness", freshness: details.freshness)
    return object.value
  }
}

extension WatchListState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("rows", objects: rows) { entry, row in
      entry.set("isin", text: row.isin.text)
      entry.set("name", text: row.name)
      entry.set("currency", text: row.currency)
      entry.set("decimals", integer: row.decimals.digits)
    }
    return object.value
  }
}

extension WatchRowState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("isin", text: isin.text)
    object.setQuote(price: price, direction: direction, changes: changes)
    object.set("freshness", freshness: freshness)
    return object.value
  }
}

extension ExchangeState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("symbol", text: symbol.text)
    object.set("currency", text: currency)
    object.set("decimals", integer: decimals.digits)
    object.set("priceStep", decimal: priceStep)
    object.set("quantityStep", decimal: quantityStep)
    object.set("bid", decimal: bid)
    object.set("bidSize", decimal: bidSize.map { FixedDecimal($0, scale: .whole) })
    object.set("ask", decimal: ask)
    object.set("askSize", decimal: askSize.map { FixedDecimal($0, scale: .whole) })
    object.setQuote(price: price, direction: direction, changes: changes)
    object.set("freshness", freshness: freshness)
    return object.value
  }
}

/// The same members as topic `exchange`, so that one ticket reads both.
extension MarketTicketState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("symbol", text: symbol.text)
    object.set("currency", text: currency)
    object.set("decimals", integer: decimals.digits)
    object.set("obstacle", sentence: obstacle)
    object.set("priceStep", decimal: priceStep)
    object.set("quantityStep", decimal: quantityStep)
    object.set("bid", decimal: bid)
    object.set("bidSize", decimal: bidSize)
    object.set("ask", decimal: ask)
    object.set("askSize", decimal: askSize)
    object.set("changes", integer: Int64(clamping: changes))
    object.set("freshness", freshness: freshness)
    return object.value
  }
}

extension FiguresState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("venue", text: instrument.venue.rawValue)
    object.set("symbol", text: instrument.symbol.text)
    object.set("freshness", freshness: freshness)
    // Without it the venue is assumed to have the instrument.
    if !isKnown { object.set("known", boolean: false) }
    guard let figures else { return object.value }
    object.setQuote(
      price: figures.last, direction: figures.direction, changes: figures.changes)
    object.set("change", decimal: figures.change)
    object.set("percent", decimal: changePercent)
    object.setDay(of: figures)
    object.set("count", integer: figures.trades)
    object.setBest(of: figures)
    // The source's time, which ages count from: a snapshot's figures are older than the snapshot.
    object.set("at", time: figures.at)
    return object.value
  }
}
