// How an event is written: JSON with fixed keys in a fixed order, whole numbers and no blanks, so
// that one event has one text, and the hash over it can be checked by any tool. Reading accepts
// that text and no other.
//
//     {"v":1,"sequence":2,"time":1790000000000000000,"event":"filled","order":1,"quantity":60,…}

import MarketModel
import PaperTrading

/// Turns events into their one text and back.
enum EventCodec {
  /// The text of an event; ASCII.
  static func encode(_ event: OrderEvent) -> String {
    var text = "{\"v\":1,\"sequence\":\(event.sequence),\"time\":\(event.time.nanoseconds)"
    switch event.change {
    case .accepted(let placement): text += ",\"event\":\"accepted\"" + fields(placement)
    case .rejected(let placement, let reason):
      let (code, values) = reason.stored
      let numbers = values.map { String($0) }.joined(separator: ",")
      text += ",\"event\":\"rejected\"" + fields(placement)
      text += ",\"reason\":\"\(code)\",\"values\":[\(numbers)]"
    case .filled(let order, let fill):
      text += ",\"event\":\"filled\",\"order\":\(order.number),\"quantity\":\(fill.quantity.units)"
      text += ",\"price\":\(fill.price.units),\"offered\":\(fill.offered.units)"
      text += ",\"tick\":\(fill.tickNumber),\"venueTime\":\(fill.venueTime)"
    case .cancelled(let order, let cancellation):
      text += ",\"event\":\"cancelled\",\"order\":\(order.number)"
      text +=
        ",\"reason\":\"\(cancellation.reason.rawValue)\",\"offer\":\(value(cancellation.offer))"
      text += ",\"available\":\(cancellation.available.units)"
    }
    return text + "}"
  }

  /// The event of a text; throws when the text is not exactly what ``encode(_:)`` writes.
  static func decode(_ text: String) throws(MalformedPayload) -> OrderEvent {
    var scanner = PayloadScanner(text)
    try scanner.expect("{\"v\":1,\"sequence\":")
    let sequence = try scanner.unsigned()
    try scanner.expect(",\"time\":")
    let time = Timestamp(nanoseconds: try scanner.integer())
    try scanner.expect(",\"event\":")
    let change = try change(named: try scanner.string(), &scanner)
    try scanner.expect("}")
    try scanner.expectEnd()
    return OrderEvent(sequence: sequence, time: time, change: change)
  }

  /// The device's name in an event that makes an order; nil for other events.
  static func clientIdentifier(of event: OrderEvent) -> String? {
    switch event.change {
    case .accepted(let placement), .rejected(let placement, _):
      placement.request.clientIdentifier.text
    case .filled, .cancelled: nil
    }
  }
}

extension EventCodec {
  private static func fields(_ placement: Placement) -> String {
    let request = placement.request
    return ",\"order\":\(placement.identifier.number)"
      + ",\"client\":\"\(request.clientIdentifier.text)\",\"symbol\":\"\(request.symbol.text)\""
      + ",\"side\":\"\(request.side == .buy ? "buy" : "sell")\""
      + ",\"limit\":\(request.kind.limit.map { String($0.units) } ?? "null")"
      + ",\"quantity\":\(request.quantity.units),\"arrival\":\(value(placement.arrival))"
  }

  private static func value(_ offer: Offer?) -> String {
    offer.map { "[\($0.price.units),\($0.quantity.units)]" } ?? "null"
  }

  private static func value(_ snapshot: MarketSnapshot?) -> String {
    guard let snapshot else { return "null" }
    return "{\"tick\":\(snapshot.number),\"venueTime\":\(snapshot.venueTime)"
      + ",\"bid\":\(value(snapshot.bid)),\"ask\":\(value(snapshot.ask))}"
  }

  private static func change(
    named name: String, _ scanner: inout PayloadScanner
  ) throws(MalformedPayload) -> OrderEvent.Change {
    switch name {
    case "accepted": return .accepted(try placement(&scanner))
    case "rejected":
      let placement = try placement(&scanner)
      try scanner.expect(",\"reason\":")
      let code = try scanner.string()
      try scanner.expect(",\"values\":")
      let values = try scanner.integers()
      guard let reason = RejectionReason(code: code, values: values) else {
        throw scanner.malformed
      }
      return .rejected(placement, reason)
    case "filled": return try filled(&scanner)
    case "cancelled": return try cancelled(&scanner)
    default: throw scanner.malformed
    }
  }

  private static func placement(
    _ scanner: inout PayloadScanner
  ) throws(MalformedPayload) -> Placement {
    let identifier = try order(&scanner)
    try scanner.expect(",\"client\":")
    guard let client = ClientOrderIdentifier(try scanner.string()) else { throw scanner.malformed }
    try scanner.expect(",\"symbol\":")
    guard let symbol = Symbol(try scanner.string()) else { throw scanner.malformed }
    try scanner.expect(",\"side\":")
    let side = try scanner.string()
    guard side == "buy" || side == "sell" else { throw scanner.malformed }
    try scanner.expect(",\"limit\":")
    let limit = scanner.skip("null") ? nil : Price(units: try scanner.integer())
    try scanner.expect(",\"quantity\":")
    let quantity = Quantity(units: try scanner.integer())
    try scanner.expect(",\"arrival\":")
    let arrival = try snapshot(&scanner)
    let request = OrderRequest(
      clientIdentifier: client, symbol: symbol, side: side == "buy" ? .buy : .sell,
      kind: limit.map { .limit($0) } ?? .market, quantity: quantity)
    return Placement(identifier: identifier, request: request, arrival: arrival)
  }

  private static func filled(
    _ scanner: inout PayloadScanner
  ) throws(MalformedPayload) -> OrderEvent.Change {
    let identifier = try order(&scanner)
    try scanner.expect(",\"quantity\":")
    let quantity = Quantity(units: try scanner.integer())
    try scanner.expect(",\"price\":")
    let price = Price(units: try scanner.integer())
    try scanner.expect(",\"offered\":")
    let offered = Quantity(units: try scanner.integer())
    try scanner.expect(",\"tick\":")
    let tick = try scanner.unsigned()
    try scanner.expect(",\"venueTime\":")
    let fill = Fill(
      quantity: quantity, price: price, offered: offered, tickNumber: tick,
      venueTime: try scanner.unsigned())
    return .filled(identifier, fill)
  }

  private static func cancelled(
    _ scanner: inout PayloadScanner
  ) throws(MalformedPayload) -> OrderEvent.Change {
    let identifier = try order(&scanner)
    try scanner.expect(",\"reason\":")
    guard let reason = Cancellation.Reason(rawValue: try scanner.string()) else {
      throw scanner.malformed
    }
    try scanner.expect(",\"offer\":")
    let offer = try offer(&scanner)
    try scanner.expect(",\"available\":")
    let available = Quantity(units: try scanner.integer())
    return .cancelled(
      identifier, Cancellation(reason: reason, offer: offer, available: available))
  }

  private static func order(
    _ scanner: inout PayloadScanner
  ) throws(MalformedPayload) -> OrderIdentifier {
    try scanner.expect(",\"order\":")
    return OrderIdentifier(number: try scanner.unsigned())
  }

  private static func offer(_ scanner: inout PayloadScanner) throws(MalformedPayload) -> Offer? {
    if scanner.skip("null") { return nil }
    let values = try scanner.integers()
    guard values.count == 2 else { throw scanner.malformed }
    return Offer(price: Price(units: values[0]), quantity: Quantity(units: values[1]))
  }

  private static func snapshot(
    _ scanner: inout PayloadScanner
  ) throws(MalformedPayload) -> MarketSnapshot? {
    if scanner.skip("null") { return nil }
    try scanner.expect("{\"tick\":")
    let number = try scanner.unsigned()
    try scanner.expect(",\"venueTime\":")
    let venueTime = try scanner.unsigned()
    try scanner.expect(",\"bid\":")
    let bid = try offer(&scanner)
    try scanner.expect(",\"ask\":")
    let ask = try offer(&scanner)
    try scanner.expect("}")
    return MarketSnapshot(number: number, venueTime: venueTime, bid: bid, ask: ask)
  }
}
