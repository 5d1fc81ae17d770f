// The members of an event, in their one order.

import MarketModel
import PaperTrading
import WireJSON

extension EventCodec {
  static func write(_ placement: Placement, to json: inout JSONWriter) {
    let request = placement.request
    json.member("order", placement.identifier.number)
    json.member("client", request.clientIdentifier.text)
    json.member("symbol", request.symbol.text)
    json.member("side", request.side.rawValue)
    json.key("limit")
    if let limit = request.kind.limit { json.integer(limit.units) } else { json.null() }
    // Members that came later are written only where they say something, so that every event has
    // the text that it always had.
    if let protection = request.kind.protection { json.member("protection", protection.units) }
    if request.kind.limit != nil, !request.kind.mayRest {
      json.member("timeInForce", request.kind.timeInForce.rawValue)
    }
    json.member("quantity", request.quantity.units)
    json.key("arrival")
    write(placement.arrival, to: &json)
  }

  static func write(_ fill: OrderFill, to json: inout JSONWriter) {
    json.member("quantity", fill.quantity.units)
    json.member("price", fill.price.units)
    json.member("offered", fill.offered.units)
    json.member("tick", fill.tickNumber)
    json.member("venueTime", fill.venueTime)
  }

  static func write(_ amendment: Amendment, to json: inout JSONWriter) {
    json.member("client", amendment.clientIdentifier.text)
    json.member("limit", amendment.limit.units)
    json.member("quantity", amendment.quantity.units)
  }

  static func write(_ cancellation: Cancellation, to json: inout JSONWriter) {
    json.member("reason", cancellation.reason.rawValue)
    json.key("offer")
    write(cancellation.level, to: &json)
    json.member("available", cancellation.available.units)
  }

  static func write(_ values: [Int64], to json: inout JSONWriter) {
    json.array(values) { $0.integer($1) }
  }

  private static func write(_ level: PriceLevel?, to json: inout JSONWriter) {
    guard let level else { return json.null() }
    write([level.price.units, level.quantity.units], to: &json)
  }

  private static func write(_ top: TopOfBook?, to json: inout JSONWriter) {
    guard let top else { return json.null() }
    json.beginObject()
    json.member("tick", top.number)
    json.member("venueTime", top.venueTime)
    json.key("bid")
    write(top.bid, to: &json)
    json.key("ask")
    write(top.ask, to: &json)
    json.endObject()
  }
}
