// The topic of the order history.

import AppState
import MarketModel
import PaperTrading
import VenueProtocols

extension OrdersState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("loaded", boolean: isLoaded)
    object.set("order") { writer in
      writer.beginArray()
      for row in rows { writer.string(row.id.description) }
      writer.endArray()
    }
    object.setObject("orders") { orders in
      for row in rows { orders.set(row.id.description, row.page) }
    }
    object.set("total", integer: total)
    object.set("openCount", integer: openCount)
    object.setObject("counts") { counts in
      for status in OrderStatus.allCases {
        counts.set(status.rawValue, integer: self.counts[status, default: 0])
      }
    }
    if let storage {
      object.setObject("ledger") { ledger in
        ledger.set("events", integer: storage.eventCount)
        ledger.set("head", text: storage.head)
        ledger.set("intact", boolean: storage.isIntact)
      }
    }
    object.set("failure", text: failure)
    object.set("skippedTicks", integer: skippedTicks)
    return object.value
  }
}

extension OrderRowState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("clientId", text: clientIdentifier.text)
    object.set("type", text: limit == nil ? "market" : "limit")
    object.set("side", text: side == .buy ? "buy" : "sell")
    object.set("quantity", decimal: quantity)
    object.set("filled", decimal: filled)
    object.set("open", decimal: open)
    object.set("cancelled", decimal: cancelled)
    object.set("average", decimal: average)
    object.set("limit", decimal: limit)
    object.set("status", text: status.rawValue)
    object.set("placedAt", time: placedAt)
    object.set("changedAt", time: changedAt)
    object.set("reason", text: reason)
    object.set("levels") { writer in
      writer.beginArray()
      for level in levels { writer.pair(level.price, level.quantity) }
      writer.endArray()
    }
    object.set("fills") { writer in
      writer.beginArray()
      for fill in fills {
        writer.beginArray()
        writer.integer(fill.time.milliseconds)
        writer.decimalString(fill.price)
        writer.decimalString(fill.quantity)
        writer.endArray()
      }
      writer.endArray()
    }
    object.set("slippage", decimal: slippage)
    if let offer = wouldHaveFilled {
      object.set("wouldHaveFilled") { $0.pair(offer.price, offer.quantity) }
    }
    return object.value
  }
}
