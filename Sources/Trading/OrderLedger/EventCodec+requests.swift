import MarketModel
import PaperTrading
import WireJSON

// `"change":"cancel","latency":80`; of an amendment its values that change, and "refused" alone.
extension EventCodec {
  static func write(_ change: ChangeRequest, to json: inout JSONWriter) {
    switch change {
    case .cancel(let milliseconds):
      json.member("change", "cancel")
      json.member("latency", milliseconds)
    case .amend(let request, let milliseconds):
      json.member("change", "amend")
      json.member("client", request.clientIdentifier.text)
      if let price = request.price { json.member("limit", price.units) }
      write(request.trigger, to: &json)
      if let quantity = request.quantity { json.member("quantity", quantity.units) }
      json.member("latency", milliseconds)
    case .refused: json.member("change", "refused")
    }
  }

  static func request(
    of order: OrderIdentifier, _ members: inout PayloadReader
  ) throws(JSONError) -> ChangeRequest {
    switch try members.string("change") {
    case "cancel": return .cancel(milliseconds: try latency(&members))
    case "amend":
      guard let client = ClientOrderIdentifier(try members.string("client")) else {
        throw members.unreadable
      }
      let price = members.isNext("limit") ? Price(units: try members.integer("limit")) : nil
      let trigger = try trigger(&members)
      let quantity =
        members.isNext("quantity") ? Quantity(units: try members.integer("quantity")) : nil
      let request = AmendRequest(
        clientIdentifier: client, order: order, quantity: quantity, price: price, trigger: trigger)
      return .amend(request, milliseconds: try latency(&members))
    case "refused": return .refused
    default: throw members.unreadable
    }
  }

  private static func latency(_ members: inout PayloadReader) throws(JSONError) -> Int64 {
    let latency = try members.integer("latency")
    guard (1...OrderLatency.maximumMilliseconds).contains(latency) else { throw members.unreadable }
    return latency
  }
}
