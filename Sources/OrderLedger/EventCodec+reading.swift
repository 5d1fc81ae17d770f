// The members of an event, read in their one order.

import MarketModel
import PaperTrading
import WireJSON

extension EventCodec {
  static func change(_ members: inout PayloadReader) throws(JSONError) -> OrderEvent.Change {
    switch try members.string("event") {
    case "accepted": return .accepted(try placement(&members))
    case "rejected":
      let placement = try placement(&members)
      let code = try members.string("reason")
      let values = try members.integers("values")
      guard let reason = RejectionReason(code: code, values: values) else {
        throw members.unreadable
      }
      return .rejected(placement, reason)
    case "filled": return .filled(try order(&members), try fill(&members))
    case "amended": return .amended(try order(&members), try amendment(&members))
    case "cancelled": return .cancelled(try order(&members), try cancellation(&members))
    default: throw members.unreadable
    }
  }

  private static func placement(_ members: inout PayloadReader) throws(JSONError) -> Placement {
    let identifier = try order(&members)
    guard let client = ClientOrderIdentifier(try members.string("client")) else {
      throw members.unreadable
    }
    guard let symbol = Symbol(try members.string("symbol")) else { throw members.unreadable }
    guard let side = Side(rawValue: try members.string("side")) else { throw members.unreadable }
    let limit = try members.optional("limit") { value throws(JSONError) in
      Price(units: try value.integer())
    }
    let kind = try kind(limit: limit, &members)
    let quantity = Quantity(units: try members.integer("quantity"))
    let arrival = try members.optional("arrival", topOfBook)
    let request = OrderRequest(
      clientIdentifier: client, symbol: symbol, side: side, kind: kind, quantity: quantity)
    return Placement(identifier: identifier, request: request, arrival: arrival)
  }

  /// The kind of order; the members that not every order has come after its limit.
  private static func kind(
    limit: Price?, _ members: inout PayloadReader
  ) throws(JSONError) -> OrderType {
    guard let limit else {
      guard members.isNext("protection") else { return .market }
      return .protectedMarket(Price(units: try members.integer("protection")))
    }
    guard members.isNext("timeInForce") else { return .limit(limit) }
    switch TimeInForce(rawValue: try members.string("timeInForce")) {
    case .immediateOrCancel: return .immediateOrCancel(limit)
    case .fillOrKill: return .fillOrKill(limit)
    case .goodTillCancelled, nil: throw members.unreadable
    }
  }

  private static func fill(_ members: inout PayloadReader) throws(JSONError) -> OrderFill {
    OrderFill(
      quantity: Quantity(units: try members.integer("quantity")),
      price: Price(units: try members.integer("price")),
      offered: Quantity(units: try members.integer("offered")),
      tickNumber: try members.unsigned("tick"), venueTime: try members.unsigned("venueTime"))
  }

  private static func amendment(_ members: inout PayloadReader) throws(JSONError) -> Amendment {
    guard let client = ClientOrderIdentifier(try members.string("client")) else {
      throw members.unreadable
    }
    let limit = Price(units: try members.integer("limit"))
    return Amendment(
      clientIdentifier: client, quantity: Quantity(units: try members.integer("quantity")),
      limit: limit)
  }

  private static func cancellation(
    _ members: inout PayloadReader
  ) throws(JSONError) -> Cancellation {
    guard let reason = Cancellation.Reason(rawValue: try members.string("reason")) else {
      throw members.unreadable
    }
    return Cancellation(
      reason: reason, level: try members.optional("offer", level),
      available: Quantity(units: try members.integer("available")))
  }

  private static func order(_ members: inout PayloadReader) throws(JSONError) -> OrderIdentifier {
    OrderIdentifier(number: try members.unsigned("order"))
  }

  private static func level(_ value: inout PayloadReader) throws(JSONError) -> PriceLevel {
    let values = try value.integers()
    guard values.count == 2 else { throw value.unreadable }
    return PriceLevel(price: Price(units: values[0]), quantity: Quantity(units: values[1]))
  }

  private static func topOfBook(_ value: inout PayloadReader) throws(JSONError) -> TopOfBook {
    try value.object { members throws(JSONError) in
      TopOfBook(
        number: try members.unsigned("tick"), venueTime: try members.unsigned("venueTime"),
        bid: try members.optional("bid", level), ask: try members.optional("ask", level))
    }
  }
}
