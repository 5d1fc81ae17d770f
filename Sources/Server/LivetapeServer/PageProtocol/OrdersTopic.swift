import AppState
import MarketModel
import PaperTrading
import WireJSON

extension OrdersState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("loaded", boolean: isLoaded)
    object.set(rows: rows, as: \.page)
    object.set("total", integer: total)
    object.set("openCount", integer: openCount)
    object.setObject("counts") { counts in
      for status in OrderStatus.allCases {
        counts.set(status.rawValue, integer: self.counts[status, default: 0])
      }
    }
    object.set("filledCount", integer: filledCount)
    object.set("fillCount", integer: fillCount)
    object.set(storage)
    object.set("failure", sentence: failure)
    object.set("knownUntil", time: knownUntil)
    object.set("skippedTicks", integer: skippedTicks)
    return object.value
  }

  /// Topic `openOrders`: the newest open orders.
  var openPage: PageValue {
    var object = PageObject()
    object.set("loaded", boolean: isLoaded)
    object.set(rows: openRows, as: \.steadyPage)
    return object.value
  }
}

/// Orders older than those of topic `orders`, for `GET /history/orders`.
struct OlderOrders: PageEncodable {
  /// Newest first.
  let rows: [OrderRowState]

  var page: PageValue {
    var object = PageObject()
    object.set(rows: rows, as: \.page)
    return object.value
  }
}

extension PageObject {
  mutating func set(_ ledger: StorageStatus?) {
    guard let ledger else { return }
    setObject("ledger") { object in
      object.set("events", integer: ledger.eventCount)
      object.set("head", text: ledger.head)
      object.set("intact", boolean: ledger.isIntact)
    }
  }

  mutating func set(_ link: OrderLink?) {
    guard let link else { return }
    setObject("link") { object in
      object.set("kind", text: link.kind.rawValue)
      object.set("order", text: link.primary.description)
    }
  }

  mutating func set(_ latency: OrderLatencyState?) {
    guard let latency else { return }
    set("latency", text: String(latency.milliseconds))
    set("submitted", decimal: latency.submitted)
    set("arrived", decimal: latency.arrived)
  }

  mutating func set(_ terms: OrderTerms) {
    if terms.isPostOnly { set("postOnly", boolean: true) }
    if terms.isReduceOnly { set("reduceOnly", boolean: true) }
    set("expires", time: terms.expiry)
  }

  mutating func set(_ trigger: OrderTriggerState?) {
    guard let trigger else { return }
    setObject("trigger") { object in
      object.set("kind", text: trigger.kind.rawValue)
      object.set("trail", decimal: trigger.trail)
      object.set("trailPercent", decimal: trigger.trailPercent)
      object.set("price", decimal: trigger.price)
      object.set("at", time: trigger.activatedAt)
      object.set("met", decimal: trigger.met)
      object.set("beyond", decimal: trigger.gap)
      object.set("number", integer: trigger.number)
      if trigger.isLate { object.set("late", boolean: true) }
      object.set("missedFrom", time: trigger.missed?.from)
      object.set("missedTo", time: trigger.missed?.to)
    }
  }

  /// The numbers in order, and the rows by number.
  fileprivate mutating func set(rows: [OrderRowState], as page: (OrderRowState) -> PageValue) {
    set("order", array: rows) { $0.string($1.id.description) }
    setObject("orders") { orders in
      for row in rows { orders.set(row.id.description, page(row)) }
    }
  }
}

extension OrderRowState: PageEncodable {
  var page: PageValue {
    var object = steady
    object.set("reason", sentence: reason)
    if let level = wouldHaveFilled {
      object.set("wouldHaveFilled") { $0.pair(level.price, level.quantity) }
    }
    return object.value
  }

  /// The row without market-dependent values, so that a thousand open orders don't change every
  /// second.
  fileprivate var steadyPage: PageValue { steady.value }

  private var steady: PageObject {
    var object = PageObject()
    object.set("clientId", text: clientIdentifier.text)
    object.set("symbol", text: symbol.text)
    object.set("currency", text: currency)
    object.set("type", text: limit == nil ? "market" : "limit")
    if limit != nil { object.set("timeInForce", text: timeInForce.rawValue) }
    object.set("protection", decimal: protection)
    object.set(trigger)
    object.set(link)
    object.set(terms)
    object.set("side", text: side.rawValue)
    object.set("quantity", decimal: quantity)
    object.set("filled", decimal: filled)
    if possible > filled { object.set("possible", decimal: possible) }
    object.set("open", decimal: open)
    object.set("cancelled", decimal: cancelled)
    object.set("average", decimal: average)
    object.set("limit", decimal: limit)
    object.set("status", text: status.rawValue)
    object.set("pending", text: change?.rawValue)
    if amendments > 0 { object.set("amendments", integer: amendments) }
    object.set("placedAt", time: placedAt)
    object.set("changedAt", time: changedAt)
    object.set("levels", array: levels) { $0.pair($1.price, $1.quantity) }
    object.set("fills", arrays: fills) { writer, fill in
      writer.integer(fill.time.milliseconds)
      writer.decimalString(fill.price)
      writer.decimalString(fill.quantity)
      writer.string(fill.fee ?? "")
      writer.boolean(fill.isMaker)
      writer.sentence(fill.evidence)
    }
    object.set("fees", text: fees)
    object.set("slippage", decimal: slippage)
    object.set(latency)
    return object
  }
}
