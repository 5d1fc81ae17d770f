import MarketModel
import NIOCore
import OrderService
import PaperTrading
import WireJSON

/// A command on the bus, with the latest pulse its sender received, from which the receiver derives
/// its age.
struct SentCommand: Equatable {
  let epoch: UInt64
  let pulse: UInt64
  let command: ClientCommand

  init(epoch: UInt64, pulse: UInt64, command: ClientCommand) {
    (self.epoch, self.pulse, self.command) = (epoch, pulse, command)
  }

  /// "epoch pulse", a line end, the command as a JSON object.
  var bytes: ByteBuffer {
    var bytes = ByteBuffer(string: "\(epoch) \(pulse)\n")
    bytes.writeBytes(command.json)
    return bytes
  }

  init?(_ bytes: ByteBuffer) {
    guard bytes.readableBytes <= FlatObject.maximumBytes else { return nil }
    let parts = bytes.readableBytesView.split(
      separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let words = String(decoding: parts[0], as: UTF8.self)
      .split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let epoch = UInt64(words[0]), let pulse = UInt64(words[1]),
      let object = FlatObject(Array(parts[1])), let command = ClientCommand(object)
    else { return nil }
    self.init(epoch: epoch, pulse: pulse, command: command)
  }
}

extension ClientCommand {
  /// The client identifier of a command that places or amends an order; nil for other commands.
  var name: ClientOrderIdentifier? {
    switch self {
    case .place(let ticket): ticket.clientIdentifier
    case .amend(let ticket): ticket.clientIdentifier
    case .cancel, .cancelAll, .preview: nil
    }
  }

  fileprivate var json: [UInt8] {
    JSONWriter.object { json in
      switch self {
      case .place(let ticket): ClientCommand.write("place", ticket, to: &json)
      case .preview(let ticket): ClientCommand.write("preview", ticket, to: &json)
      case .amend(let ticket):
        json.member("do", "amend")
        json.member("order", ticket.order.number)
        json.member("clientId", ticket.clientIdentifier.text)
        if let quantity = ticket.quantity { json.member("quantity", quantity) }
        if let price = ticket.price { json.member("price", price) }
        if let trigger = ticket.trigger { json.member("trigger", trigger) }
      case .cancel(let order):
        json.member("do", "cancel")
        json.member("order", order.number)
      case .cancelAll(let order):
        json.member("do", "cancelAll")
        json.member("order", order.number)
      }
    }
  }

  private static func write(_ action: String, _ ticket: OrderTicket, to json: inout JSONWriter) {
    json.member("do", action)
    json.member("clientId", ticket.clientIdentifier.text)
    if let instrument = ticket.instrument { json.member("instrument", instrument.text) }
    json.member("side", ticket.side.rawValue)
    json.member("quantity", ticket.quantity)
    if let unit = ticket.trigger?.trail {
      json.member(unit == .price ? "trail" : "trailPercent", ticket.trigger?.price ?? "")
    }
    let fixed = ticket.trigger?.trail == nil ? ticket.trigger?.kind : nil
    switch fixed {
    case .stop: json.member("stop", ticket.trigger?.price ?? "")
    case .takeProfit: json.member("takeProfit", ticket.trigger?.price ?? "")
    case nil: break
    }
    if let exits = ticket.exits {
      json.member("exits", exits.kind.rawValue)
      if let stop = exits.stop { json.member("exitStop", stop) }
      if let profit = exits.takeProfit { json.member("exitProfit", profit) }
    }
    let terms = ticket.terms
    if terms.isPostOnly { json.member("postOnly", 1) }
    if terms.isReduceOnly { json.member("reduceOnly", 1) }
    if let expiry = terms.expiry { json.member("expires", expiry.nanoseconds) }
    switch ticket.kind {
    case .market: json.member("type", "market")
    case .protectedMarket(let protection):
      json.member("type", "market")
      json.member("protection", protection)
    case .limit(let price, let time):
      json.member("type", "limit")
      json.member("price", price)
      json.member("timeInForce", time.rawValue)
    }
  }

  fileprivate init?(_ object: FlatObject) {
    switch object.text("do") {
    case "place":
      guard let ticket = OrderTicket(object) else { return nil }
      self = .place(ticket)
    case "preview":
      guard let ticket = OrderTicket(object) else { return nil }
      self = .preview(ticket)
    case "amend":
      guard let order = OrderIdentifier(object),
        let name = object.text("clientId").flatMap({ ClientOrderIdentifier($0) })
      else { return nil }
      self = .amend(
        AmendTicket(
          clientIdentifier: name, order: order, quantity: object.text("quantity"),
          price: object.text("price"), trigger: object.text("trigger")))
    case "cancel":
      guard let order = OrderIdentifier(object) else { return nil }
      self = .cancel(order)
    case "cancelAll":
      guard let order = OrderIdentifier(object) else { return nil }
      self = .cancelAll(through: order)
    default: return nil
    }
  }
}

extension OrderTicket {
  fileprivate init?(_ object: FlatObject) {
    guard let name = object.text("clientId").flatMap({ ClientOrderIdentifier($0) }),
      let side = object.text("side").flatMap({ Side(rawValue: $0) }),
      let quantity = object.text("quantity")
    else { return nil }
    let kind: Kind
    switch object.text("type") {
    case "market":
      kind = object.text("protection").map { .protectedMarket(protection: $0) } ?? .market
    case "limit":
      guard let price = object.text("price"),
        let time = object.text("timeInForce").flatMap({ TimeInForce(rawValue: $0) })
      else { return nil }
      kind = .limit(price: price, time)
    default: return nil
    }
    var instrument: Symbol?
    if let text = object.text("instrument") {
      guard let symbol = Symbol(text) else { return nil }
      instrument = symbol
    }
    let trigger = Trigger.Kind.allCases.lazy.compactMap { kind in
      object.text(kind.rawValue).map { TriggerTicket(kind, at: $0) }
    }.first
    let trail = TrailUnit.allCases.lazy.compactMap { unit in
      object.text(unit.rawValue).map { TriggerTicket(trailing: $0, in: unit) }
    }.first
    self.init(
      clientIdentifier: name, instrument: instrument, side: side, kind: kind, quantity: quantity,
      trigger: trail ?? trigger,
      exits: object.text("exits").flatMap { Exits.Kind(rawValue: $0) }.map {
        ExitsTicket($0, stop: object.text("exitStop"), takeProfit: object.text("exitProfit"))
      },
      terms: OrderTerms(
        isPostOnly: object.integer("postOnly") == 1,
        isReduceOnly: object.integer("reduceOnly") == 1,
        expiry: object.integer("expires").map { Timestamp(nanoseconds: $0) }))
  }
}

extension OrderIdentifier {
  init?(_ object: FlatObject) {
    guard let number = object.integer("order").flatMap({ UInt64(exactly: $0) }) else { return nil }
    self.init(number: number)
  }
}
