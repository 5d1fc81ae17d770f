// What a page may say, read from its message. Anything else is an error that names what is wrong.

import FeedConnections
import MarketModel
import OrderService
import PaperTrading
import SimulatorServer
import VenueProtocols
import WireJSON

/// A page's command.
enum PageRequest: Equatable {
  /// Open and close topics, by name; closing comes first.
  case topics(open: [String], close: [String])
  /// Answer with the same number.
  case ping(Int64)
  /// Send no more than one frame in so many milliseconds from now on.
  case frames(everyMilliseconds: Int64)
  /// Name large states instead of sending them: the page fetches them.
  case documents
  /// An action by name with its argument.
  case action(name: String, argument: String?)
  /// A command about orders.
  case orders(PageAsk)
  /// A change of a person's lists.
  case lists(ListCommand)
  /// A change of a person's alerts.
  case alerts(AlertCommand)
  /// A change of what goes wrong with a simulated venue.
  case faults(FaultCommand)
  /// When frames came and were drawn.
  case measured(FrameReport)
}

/// Why a page's message was not taken.
struct PageRequestError: Error, Equatable {
  /// One of the codes of the page protocol.
  let code: String
  /// One clear line.
  let message: String

  static func bad(_ message: String) -> PageRequestError {
    PageRequestError(code: "bad_message", message: message)
  }
}

extension PageRequest {
  /// The longest message a page may send, in bytes.
  static let maximumBytes = 4096
  /// The most topics one message may open or close.
  static let maximumTopics = 64
  /// The longest argument, in bytes; a longer topic name is that of no topic.
  static let maximumNameBytes = 96

  /// Reads a message of a page.
  init(_ bytes: Span<UInt8>) throws(PageRequestError) {
    let members: Members
    do {
      members = try PageRequest.parse(bytes)
    } catch {
      throw PageRequestError.bad("the message is not understood (\(error))")
    }
    self = try PageRequest.request(members)
  }

  private struct Members {
    var open: [String]?
    var close: [String]?
    var ping: Int64?
    var frameMilliseconds: Int64?
    var documents: Bool?
    var name: String?
    var venue: String?
    var id: String?
    var order: OrderMembers?
    var ask: Int64?
    var resent: Bool?
    var list = ListMembers()
    var alert = AlertMembers()
    var faults: String?
    var measured: [FrameReport.Row]?
    var within: Int64?
  }

  private static func parse(_ bytes: Span<UInt8>) throws(JSONError) -> Members {
    guard bytes.count <= maximumBytes else { throw JSONError(.tooLong, at: maximumBytes) }
    var cursor = JSONCursor()
    var members = Members()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      try read(key, of: bytes, &cursor, into: &members)
    }
    try cursor.finish(bytes)
    return members
  }

  private static func request(_ members: Members) throws(PageRequestError) -> PageRequest {
    if let ping = members.ping { return .ping(ping) }
    if members.measured != nil || members.within != nil {
      return .measured(try FrameReport(rows: members.measured, within: members.within))
    }
    if let milliseconds = members.frameMilliseconds {
      guard TopicServer.frameBounds.contains(milliseconds) else {
        let (least, most) = (TopicServer.frameBounds.lowerBound, TopicServer.frameBounds.upperBound)
        throw .bad("frameMilliseconds is a number from \(least) to \(most)")
      }
      guard members.open == nil, members.close == nil, members.name == nil else {
        throw .bad("frameMilliseconds comes in a message of its own")
      }
      return .frames(everyMilliseconds: milliseconds)
    }
    if members.documents != nil {
      guard members.documents == true, members.open == nil, members.close == nil,
        members.name == nil
      else { throw .bad("documents is true, in a message of its own") }
      return .documents
    }
    if let name = members.name {
      let ask = try PageAsk(
        action: name, order: members.order, id: members.id, number: members.ask,
        isRepeat: members.resent)
      let command = try members.list.command(name)
      let alert = try members.alert.command(name, id: members.id)
      guard members.alert.isEmpty || alert != nil else {
        throw .bad("the action \(name) takes no such argument")
      }
      if let command = try FaultCommand(
        action: name, venue: members.venue, faults: members.faults)
      {
        guard members.id == nil, members.order == nil, members.ask == nil, members.list.isEmpty
        else { throw .bad("the action \(name) takes no such argument") }
        return .faults(command)
      }
      guard members.faults == nil else { throw .bad("the action \(name) takes no such argument") }
      let isPlain = members.venue == nil && members.id == nil
      guard members.list.isEmpty || command != nil else {
        throw .bad("the action \(name) takes no such argument")
      }
      if let ask { return .orders(ask) }
      guard members.order == nil, members.ask == nil, members.resent == nil,
        isPlain || command == nil && (members.venue == nil || members.id == nil)
      else { throw .bad("the action \(name) takes no such argument") }
      if let command { return .lists(command) }
      if let alert {
        guard members.venue == nil else {
          throw .bad("the action \(name) takes no such argument")
        }
        return .alerts(alert)
      }
      return .action(name: name, argument: members.venue ?? members.id)
    }
    guard members.open != nil || members.close != nil else {
      throw .bad("the message holds nothing to do")
    }
    return .topics(open: members.open ?? [], close: members.close ?? [])
  }

  private static func read(
    _ key: Range<Int>, of bytes: Span<UInt8>, _ cursor: inout JSONCursor,
    into members: inout Members
  ) throws(JSONError) {
    let duplicate = JSONError(.duplicateKey, at: key.lowerBound)
    if JSONText.equals(bytes, key, "open") {
      guard members.open == nil else { throw duplicate }
      members.open = try names(bytes, &cursor)
    } else if JSONText.equals(bytes, key, "close") {
      guard members.close == nil else { throw duplicate }
      members.close = try names(bytes, &cursor)
    } else if JSONText.equals(bytes, key, "ping") {
      guard members.ping == nil else { throw duplicate }
      members.ping = try cursor.integer(bytes)
    } else if JSONText.equals(bytes, key, "documents") {
      guard members.documents == nil else { throw duplicate }
      members.documents = try cursor.boolean(bytes)
    } else if JSONText.equals(bytes, key, "frameMilliseconds") {
      guard members.frameMilliseconds == nil else { throw duplicate }
      members.frameMilliseconds = try cursor.integer(bytes)
    } else if JSONText.equals(bytes, key, "do") {
      guard members.name == nil else { throw duplicate }
      members.name = try cursor.text(bytes, maximumBytes: maximumNameBytes)
    } else if JSONText.equals(bytes, key, "venue") {
      guard members.venue == nil else { throw duplicate }
      members.venue = try cursor.text(bytes, maximumBytes: maximumNameBytes)
    } else if JSONText.equals(bytes, key, "id") {
      guard members.id == nil else { throw duplicate }
      members.id = try cursor.text(bytes, maximumBytes: maximumNameBytes)
    } else if JSONText.equals(bytes, key, "order") {
      guard members.order == nil else { throw duplicate }
      members.order = try OrderMembers(bytes, &cursor)
    } else if JSONText.equals(bytes, key, "ask") {
      guard members.ask == nil else { throw duplicate }
      members.ask = try cursor.integer(bytes)
    } else if JSONText.equals(bytes, key, "resent") {
      guard members.resent == nil else { throw duplicate }
      members.resent = try cursor.boolean(bytes)
    } else if JSONText.equals(bytes, key, "faults") {
      guard members.faults == nil else { throw duplicate }
      members.faults = try cursor.text(bytes, maximumBytes: VenueFaults.maximumTextBytes)
    } else if JSONText.equals(bytes, key, "measured") {
      guard members.measured == nil else { throw duplicate }
      members.measured = try FrameReport.rows(bytes, &cursor)
    } else if JSONText.equals(bytes, key, "within") {
      guard members.within == nil else { throw duplicate }
      members.within = try cursor.integer(bytes)
    } else if try !members.list.read(key, of: bytes, &cursor),
      try !members.alert.read(key, of: bytes, &cursor)
    {
      throw JSONError(.unexpectedCharacter, at: key.lowerBound)
    }
  }

  private static func names(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> [String] {
    try cursor.list(bytes, atMost: maximumTopics) { (cursor) throws(JSONError) in
      try cursor.text(bytes, maximumBytes: maximumBytes)
    }
  }
}

// MARK: - Orders

// Only the form is checked here; the text of the ticket's fields is parsed by the order service.

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
