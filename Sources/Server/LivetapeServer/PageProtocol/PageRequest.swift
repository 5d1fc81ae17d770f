import FeedConnections
import MarketModel
import OrderService
import PaperTrading
import PriceAlerts
import SimulatorServer
import VenueCatalogue
import WireJSON

/// A page's message, parsed; anything else is an error that names what is wrong.
enum PageRequest: Equatable {
  /// Opens and closes topics by name; closing comes first.
  case topics(open: [String], close: [String])
  /// Requests a response with the same number.
  case ping(Int64)
  /// Limits the page's frames to one per interval.
  case frames(everyMilliseconds: Int64)
  /// Requests references to large states instead of the states; the page fetches them.
  case documents
  case action(name: String, argument: String?)
  case orders(PageAsk)
  case lists(ListCommand)
  case alerts(AlertCommand)
  case faults(FaultCommand)
  case measured(FrameReport)
}

/// Why a page's message was rejected.
struct PageRequestError: Error, Equatable {
  /// A code of the page protocol.
  let code: String
  let message: Sentence

  static func bad(_ message: String) -> PageRequestError {
    PageRequestError(code: "bad_message", message: Sentence(key: message))
  }
}

extension PageRequest {
  /// The maximum length of a page's message in bytes.
  static let maximumBytes = 4096
  static let maximumTopics = 64
  /// The maximum length of an argument in bytes; no topic has a longer name.
  static let maximumNameBytes = 96

  private static let members: [String: ObjectMembers.Kind] = {
    let name = ObjectMembers.Kind.text(maximumNameBytes)
    let list = ObjectMembers.Kind.text(ListCommand.maximumBytes)
    return [
      "open": .other, "close": .other, "measured": .other, "order": .other,
      "ping": .integer, "frameMilliseconds": .integer, "within": .integer, "ask": .integer,
      "pause": .integer, "window": .integer,
      "documents": .boolean, "resent": .boolean, "again": .boolean,
      "do": name, "venue": name, "id": name, "market": name, "price": name,
      "kind": name, "level": name,
      "list": list, "member": list, "before": list, "name": list,
      "faults": .text(VenueFaults.maximumTextBytes),
    ]
  }()

  /// The members of actions beside `do`; others take a venue or an id.
  private static let arguments: [String: Set<String>] = [
    "order.place": ["order", "resent"], "order.preview": ["order", "ask"],
    "order.amend": ["order", "id"], "order.cancel": ["id"], "orders.cancelAll": ["id"],
    "list.add": ["list", "member", "before"], "list.remove": ["list", "member"],
    "list.create": ["name"], "list.rename": ["list", "name"], "list.delete": ["list"],
    "alert.add": ["market", "kind", "price", "level", "window", "again", "pause"],
    "alert.edit": ["id", "kind", "price", "level", "window", "again", "pause"],
    "alert.remove": ["id"], "alert.arm": ["id"],
    "fault.inject": ["venue", "faults"], "fault.clear": ["venue"],
  ]

  init(_ bytes: Span<UInt8>) throws(PageRequestError) {
    var topics: [String: [String]] = [:]
    var order: OrderMembers?
    var measured: [FrameReport.Row]?
    let members: ObjectMembers
    do throws(JSONError) {
      guard bytes.count <= Self.maximumBytes else {
        throw JSONError(.tooLong, at: Self.maximumBytes)
      }
      var cursor = JSONCursor()
      members = try ObjectMembers(bytes, &cursor, Self.members) {
        (name, cursor: inout JSONCursor) throws(JSONError) in
        switch name {
        case "order": order = try OrderMembers(bytes, &cursor)
        case "measured": measured = try FrameReport.rows(bytes, &cursor)
        default:
          topics[name] = try cursor.list(bytes, atMost: Self.maximumTopics) {
            (cursor) throws(JSONError) in
            try cursor.text(bytes, maximumBytes: Self.maximumBytes)
          }
        }
      }
      try cursor.finish(bytes)
    } catch {
      throw .bad("the message is not understood (\(error))")
    }
    if let ping = members.integers["ping"] {
      self = .ping(ping)
    } else if measured != nil || members.names.contains("within") {
      self = .measured(try FrameReport(rows: measured, within: members.integers["within"]))
    } else if let milliseconds = members.integers["frameMilliseconds"] {
      let bounds = TopicServer.frameBounds
      guard bounds.contains(milliseconds), members.names.count == 1 else {
        throw .bad(
          "frameMilliseconds is a number from \(bounds.lowerBound) to \(bounds.upperBound), alone")
      }
      self = .frames(everyMilliseconds: milliseconds)
    } else if let documents = members.booleans["documents"] {
      guard documents, members.names.count == 1 else { throw .bad("documents is true, alone") }
      self = .documents
    } else if let action = members.texts["do"] {
      self = try Self.action(action, members, order)
    } else {
      guard members.names.count == topics.count, !topics.isEmpty else {
        throw .bad("the message holds nothing to do")
      }
      self = .topics(open: topics["open"] ?? [], close: topics["close"] ?? [])
    }
  }

  private static func action(
    _ name: String, _ members: ObjectMembers, _ order: OrderMembers?
  ) throws(PageRequestError) -> PageRequest {
    let argument = members.names.contains("venue") ? "venue" : "id"
    guard members.names.subtracting(["do"]).isSubset(of: arguments[name] ?? [argument]) else {
      throw .bad("the action \(name) takes no such argument")
    }
    if let ask = try PageAsk(name, members, order) { return .orders(ask) }
    if let command = try ListCommand(name, members) { return .lists(command) }
    if let command = try AlertCommand(name, members) { return .alerts(command) }
    if let command = try FaultCommand(name, members) { return .faults(command) }
    return .action(name: name, argument: members.texts[argument])
  }
}

/// The members of a JSON object, each once and of one kind.
struct ObjectMembers {
  enum Kind {
    /// A text with a maximum length in bytes.
    case text(Int)
    case integer
    case boolean
    case other
  }

  private(set) var names: Set<String> = []
  private(set) var texts: [String: String] = [:]
  private(set) var integers: [String: Int64] = [:]
  private(set) var booleans: [String: Bool] = [:]

  /// Reads an object with these members only; `other` reads those of that kind.
  init(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, _ kinds: [String: Kind],
    other: (String, inout JSONCursor) throws(JSONError) -> Void = { _, _ in }
  ) throws(JSONError) {
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      let name = JSONText.decode(bytes, key)
      guard let kind = kinds[name] else {
        throw JSONError(.unexpectedCharacter, at: key.lowerBound)
      }
      guard names.insert(name).inserted else { throw JSONError(.duplicateKey, at: key.lowerBound) }
      switch kind {
      case .text(let limit): texts[name] = try cursor.text(bytes, maximumBytes: limit)
      case .integer: integers[name] = try cursor.integer(bytes)
      case .boolean: booleans[name] = try cursor.boolean(bytes)
      case .other: try other(name, &cursor)
      }
    }
  }

  func text(_ name: String, of action: String) throws(PageRequestError) -> String {
    guard let text = texts[name] else { throw .bad("\(action) needs a \(name)") }
    return text
  }

  func instrument(_ name: String, of action: String) throws(PageRequestError) -> InstrumentKey {
    guard let instrument = InstrumentKey(text: try text(name, of: action)) else {
      throw .bad("\(name) of \(action) is a venue and a symbol, as in kraken/BTC/USD")
    }
    return instrument
  }
}

// MARK: - Orders

// Only the form is validated here; the order service parses the ticket's fields.

/// The members of `"order":{…}`.
struct OrderMembers {
  /// The maximum length of a field; no number is longer.
  static let maximumBytes = 96

  private static let members = Dictionary(
    uniqueKeysWithValues: [
      "clientId", "instrument", "type", "side", "quantity", "price", "protection", "timeInForce",
      "stop", "takeProfit", "oco", "bracketStop", "bracketProfit",
      "trail", "trailPercent", "trigger",
    ].map { ($0, ObjectMembers.Kind.text(maximumBytes)) }
      + [("postOnly", .boolean), ("reduceOnly", .boolean), ("expires", .integer)])

  private let members: ObjectMembers

  var fields: [String: String] { members.texts }

  init(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    members = try ObjectMembers(bytes, &cursor, Self.members)
  }

  /// The ticket; a missing quantity or price is an empty field, a missing clientId is `name`.
  func ticket(named name: String? = nil) throws(PageRequestError) -> OrderTicket {
    let client = try client(named: name)
    guard fields["trigger"] == nil else {
      throw .bad("an order waits for a stop, takeProfit, trail or trailPercent")
    }
    guard let side = fields["side"].flatMap(Side.init(rawValue:)) else {
      throw .bad("an order's side is buy or sell")
    }
    return OrderTicket(
      clientIdentifier: client, instrument: try instrument, side: side, kind: try kind,
      quantity: fields["quantity"] ?? "", trigger: try trigger, exits: try exits,
      terms: try terms)
  }

  private var terms: OrderTerms {
    get throws(PageRequestError) {
      let milliseconds = members.integers["expires"]
      // The range of nanoseconds.
      guard (0...9_000_000_000_000).contains(milliseconds ?? 0) else {
        throw .bad("expires is a time in milliseconds since 1970")
      }
      return OrderTerms(
        isPostOnly: members.booleans["postOnly"] == true,
        isReduceOnly: members.booleans["reduceOnly"] == true,
        expiry: milliseconds.map { Timestamp(milliseconds: $0) })
    }
  }

  private var exits: ExitsTicket? {
    get throws(PageRequestError) {
      let (stop, profit) = (fields["bracketStop"], fields["bracketProfit"])
      guard let alternative = fields["oco"] else {
        guard stop != nil || profit != nil else { return nil }
        return ExitsTicket(.bracket, stop: stop, takeProfit: profit)
      }
      guard stop == nil, profit == nil, fields["type"] == "limit",
        (fields["timeInForce"] ?? "gtc") == "gtc", try trigger == nil
      else { throw .bad("oco is the stop of a limit order that may rest, without a bracket") }
      return ExitsTicket(.oco, stop: alternative)
    }
  }

  private var trigger: TriggerTicket? {
    get throws(PageRequestError) {
      let found =
        Trigger.Kind.allCases.compactMap { kind in
          fields[kind.rawValue].map { TriggerTicket(kind, at: $0) }
        }
        + TrailUnit.allCases.compactMap { unit in
          fields[unit.rawValue].map { TriggerTicket(trailing: $0, in: unit) }
        }
      guard found.count < 2 else {
        throw .bad("an order has a stop, a takeProfit, a trail or a trailPercent, not several")
      }
      return found.first
    }
  }

  /// The changes of an order; what is missing stays as it is.
  func amendment(of order: OrderIdentifier) throws(PageRequestError) -> AmendTicket {
    let changes = ["quantity", "price", "trigger"]
    guard members.names.isSubset(of: ["clientId"] + changes),
      changes.contains(where: { fields[$0] != nil })
    else { throw .bad("an amendment has a quantity, price or trigger, and no other member") }
    return AmendTicket(
      clientIdentifier: try client(named: nil), order: order, quantity: fields["quantity"],
      price: fields["price"], trigger: fields["trigger"])
  }

  /// A market of a venue by venue and symbol, so that one market has one name in the ledger.
  private var instrument: Symbol? {
    get throws(PageRequestError) {
      guard let text = fields["instrument"] else { return nil }
      if text == ExchangeCatalogue.symbol.text { return nil }
      guard let key = InstrumentKey(text: text), BookCatalogue.instrument(key) != nil,
        let symbol = key.orderSymbol
      else { throw .bad("an order's instrument is VENUE:SYMBOL, such as kraken:BTC/USD") }
      return symbol
    }
  }

  private func client(named name: String?) throws(PageRequestError) -> ClientOrderIdentifier {
    // A spreadsheet would interpret a leading minus as a formula.
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
  init?(
    _ action: String, _ members: ObjectMembers, _ order: OrderMembers?
  ) throws(PageRequestError) {
    switch action {
    case "order.place":
      guard let order else { throw .bad("order.place needs an order") }
      let isRepeat = members.booleans["resent"] == true
      self.init(command: .place(try order.ticket()), isRepeat: isRepeat)
    case "order.preview":
      guard let order, let number = members.integers["ask"] else {
        throw .bad("order.preview needs an order and a number to ask by")
      }
      self.init(command: .preview(try order.ticket(named: "preview")), number: number)
    case "order.amend":
      guard let order, let named = PageAsk.order(members.texts["id"]) else {
        throw .bad("order.amend needs the id of an order, and what changes")
      }
      self.init(command: .amend(try order.amendment(of: named)))
    case "order.cancel", "orders.cancelAll":
      guard let named = PageAsk.order(members.texts["id"]) else {
        throw .bad("\(action) needs the id of an order")
      }
      self.init(command: action == "order.cancel" ? .cancel(named) : .cancelAll(through: named))
    default: return nil
    }
  }

  /// Digits only: UInt64 would accept a plus sign.
  private static func order(_ id: String?) -> OrderIdentifier? {
    guard let id, id.utf8.first != UInt8(ascii: "+") else { return nil }
    return UInt64(id).map { OrderIdentifier(number: $0) }
  }
}

// MARK: - Alerts

// A level is passed on as text, so that an invalid one gets a sentence instead of "bad message".

extension AlertCommand {
  init?(_ action: String, _ members: ObjectMembers) throws(PageRequestError) {
    switch action {
    case "alert.add":
      self = .add(
        try members.instrument("market", of: action), try Self.terms(action, members),
        repeats: try Self.again(action, members),
        cooldownSeconds: try Self.pause(action, members))
    case "alert.edit":
      self = .edit(
        try Self.number(action, members), try Self.terms(action, members),
        repeats: try Self.again(action, members),
        cooldownSeconds: try Self.pause(action, members))
    case "alert.remove": self = .remove(try Self.number(action, members))
    case "alert.arm": self = .arm(try Self.number(action, members))
    default: return nil
    }
  }

  /// A price by default; another kind has a level, a window, or both.
  private static func terms(
    _ action: String, _ members: ObjectMembers
  ) throws(PageRequestError) -> AlertTerms {
    let name = members.texts["kind"] ?? AlertCondition.Kind.price.rawValue
    guard let kind = AlertCondition.Kind(rawValue: name) else {
      throw .bad("\(action) needs the kind of an alert")
    }
    let level = kind == .price ? "price" : "level"
    guard members.names.isDisjoint(with: [kind == .price ? "level" : "price"]),
      members.names.contains("window") == (kind.seconds != nil),
      members.names.contains(level) == kind.hasLevel
    else { throw .bad("\(action) needs the members of kind \(name), and no others") }
    return AlertTerms(kind, level: members.texts[level], seconds: members.integers["window"])
  }

  private static func again(
    _ action: String, _ members: ObjectMembers
  ) throws(PageRequestError) -> Bool {
    guard let again = members.booleans["again"] else {
      throw .bad("\(action) needs a price, and whether to go on again")
    }
    return again
  }

  private static func pause(
    _ action: String, _ members: ObjectMembers
  ) throws(PageRequestError) -> Int64 {
    let seconds = members.integers["pause"] ?? AlertBook.usualCooldown
    guard AlertBook.cooldowns.contains(seconds) else {
      throw .bad("\(action) takes a pause of at most a day, in seconds")
    }
    return seconds
  }

  /// Digits only: Int would accept a sign.
  private static func number(
    _ action: String, _ members: ObjectMembers
  ) throws(PageRequestError) -> Int {
    guard let id = members.texts["id"], id.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(id)
    else { throw .bad("\(action) needs the id of an alert") }
    return number
  }
}
