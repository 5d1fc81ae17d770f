// What pages may say about orders. Here only its form is read; what was typed into the ticket's
// fields goes on as text, for the order service to parse.

import MarketModel
import OrderService
import PaperTrading
import VenueProtocols
import WireJSON

/// The members of `"order":{…}`.
struct OrderMembers {
  /// The longest text of a field; nothing longer is a number.
  static let maximumBytes = 96

  private var fields: [String: String] = [:]
  private static let names: [StaticString] = [
    "clientId", "type", "side", "quantity", "price", "protection", "timeInForce",
  ]

  /// Reads an order as a page writes it.
  init(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      guard let name = Self.names.first(where: { JSONText.equals(bytes, key, $0) }) else {
        throw JSONError(.unexpectedCharacter, at: key.lowerBound)
      }
      guard fields["\(name)"] == nil else { throw JSONError(.duplicateKey, at: key.lowerBound) }
      fields["\(name)"] = try cursor.text(bytes, maximumBytes: Self.maximumBytes)
    }
  }

  /// The ticket; a missing quantity or price is an empty field, a missing clientId is `name`.
  func ticket(named name: String? = nil) throws(PageRequestError) -> OrderTicket {
    let client = try client(named: name)
    guard let side = fields["side"].flatMap(Side.init(rawValue:)) else {
      throw .bad("an order's side is buy or sell")
    }
    return OrderTicket(
      clientIdentifier: client, side: side, kind: try kind, quantity: fields["quantity"] ?? "")
  }

  /// What is to become of an order; a missing quantity or price stays as it is.
  func amendment(of order: OrderIdentifier) throws(PageRequestError) -> AmendTicket {
    guard fields.keys.allSatisfy({ ["clientId", "quantity", "price"].contains($0) }),
      fields["quantity"] != nil || fields["price"] != nil
    else { throw .bad("an amendment has a quantity or a price, and no other member") }
    return AmendTicket(
      clientIdentifier: try client(named: nil), order: order, quantity: fields["quantity"],
      price: fields["price"])
  }

  private func client(named name: String?) throws(PageRequestError) -> ClientOrderIdentifier {
    // A spreadsheet would take what begins with a minus for a formula.
    guard let client = (fields["clientId"] ?? name).flatMap({ ClientOrderIdentifier($0) }),
      !client.text.hasPrefix("-")
    else {
      throw .bad(
        "an order needs a clientId of 1 to 64 letters, digits, or - . _ :, and no - at its start")
    }
    return client
  }

  private var kind: OrderTicket.Kind {
    get throws(PageRequestError) {
      switch fields["type"] {
      case "limit":
        guard fields["protection"] == nil else { throw .bad("a limit order has no protection") }
        guard let time = TimeInForce(rawValue: fields["timeInForce"] ?? "gtc") else {
          throw .bad("a limit order's timeInForce is gtc, ioc or fok")
        }
        return .limit(price: fields["price"] ?? "", time)
      case "market":
        guard (fields["price"] ?? "").isEmpty else { throw .bad("a market order has no price") }
        guard fields["timeInForce"] == nil else { throw .bad("a market order is ioc") }
        let protection = fields["protection"] ?? ""
        return protection.isEmpty ? .market : .protectedMarket(protection: protection)
      default: throw .bad("an order's type is market or limit")
      }
    }
  }
}

extension PageAsk {
  /// The command behind an action; nil when the action is none about orders.
  init?(
    action: String, order: OrderMembers?, id: String?, number: Int64?, isRepeat: Bool?
  ) throws(PageRequestError) {
    guard isRepeat == nil || action == "order.place" else {
      throw .bad("only an order is sent again")
    }
    switch action {
    case "order.place":
      guard let order, id == nil, number == nil else { throw .bad("order.place needs an order") }
      self.init(command: .place(try order.ticket()), isRepeat: isRepeat == true)
    case "order.preview":
      guard let order, let number, id == nil else {
        throw .bad("order.preview needs an order and a number to ask by")
      }
      self.init(command: .preview(try order.ticket(named: "preview")), number: number)
    case "order.amend":
      guard let order, let named = PageAsk.order(id), number == nil else {
        throw .bad("order.amend needs the id of an order, and what is to become of it")
      }
      self.init(command: .amend(try order.amendment(of: named)))
    case "order.cancel", "orders.cancelAll":
      guard let named = PageAsk.order(id), order == nil, number == nil else {
        throw .bad("\(action) needs the id of an order")
      }
      self.init(command: action == "order.cancel" ? .cancel(named) : .cancelAll(through: named))
    default: return nil
    }
  }

  /// Digits only: UInt64 would take a plus sign, too.
  private static func order(_ id: String?) -> OrderIdentifier? {
    guard let id, id.utf8.first != UInt8(ascii: "+") else { return nil }
    return UInt64(id).map { OrderIdentifier(number: $0) }
  }
}
