// The page's types of replies and notices against the server's encoders, as TopicTypesTests for
// topics.

import Foundation
import MarketModel
import OrderService
import PaperTrading
import Testing
import VenueCatalogue

@testable import LivetapeServer

@Suite struct ReplyTypesTests {
  private let file = GeneratedFile(
    path: "Web/types/replies.d.ts", variable: "UPDATE_TOPIC_TYPES")
  private let rules = TradingRules(oneStock: ExchangeCatalogue.symbol)
  private let order = OrderIdentifier(number: 17)
  private let now = ClockReading(milliseconds: 1000)

  @Test func `the types of replies and notices are those of the encoders`() throws {
    try file.expect(try text, suite: "ReplyTypesTests")
  }

  @Test func `a refusal and a success are types of their own`() throws {
    let text = try text
    #expect(text.contains("type Cancelled =\n    | {\n        id: string;\n        ok: true;"))
    #expect(text.contains("        field?: \"price\" | \"quantity\";"))
    #expect(text.contains("        fill?: Topic.Amount;"))
    #expect(text.contains("type Reply = Amended | Cancelled | CancelledAll | Placed | Previewed;"))
  }

  private var text: String {
    get throws {
      var types = VariantTypes()
      var trader = PaperTrader(rules: rules)
      let ticket = try ticket()
      let amendment = AmendTicket(
        clientIdentifier: ticket.clientIdentifier, order: order, quantity: "60", price: nil)
      let previews = try [nil, 60, 200].enumerated().map { index, offered in
        try preview(of: ticket, offered: offered, tick: UInt64(index + 1), &trader)
      }
      let placed: [OrderResponse] = [
        .placed(order, isRepeated: false), .refused(.init("No.", order: order)),
      ]
      let cases: [(type: String, ask: PageAsk, answers: [OrderResponse])] = [
        ("Placed", PageAsk(command: .place(ticket)), placed),
        ("Cancelled", PageAsk(command: .cancel(order)), [.cancelled(order)]),
        ("Amended", PageAsk(command: .amend(amendment)), [.amended(order, isRepeated: false)]),
        ("CancelledAll", PageAsk(command: .cancelAll(through: order)), [.cancelledAll(count: 2)]),
        ("Previewed", PageAsk(command: .preview(ticket), number: 4), previews),
      ]
      for (type, ask, answers) in cases {
        for answer in answers + refusals {
          try types.add(try #require(OrderReplies.reply(to: ask, answer)), under: "reply", to: type)
        }
      }
      let notices = trader.handle(.place(try request(ticket, trader)), at: now).notices
      for notice in notices {
        try types.add(OrderReplies.notice(notice), under: "notice", to: "Notice")
      }
      return types.text(union: "Reply", of: cases.map(\.type))
    }
  }

  private let refusals: [OrderResponse] = [
    .refused(.init("No.")), .refused(.init("No.", field: .quantity)),
    .refused(.init("No.", field: .price)),
    .refused(.init("No.", usual: FixedDecimal(units: 10, scale: .whole))),
  ]

  private func preview(
    of ticket: OrderTicket, offered: Int64?, tick: UInt64, _ trader: inout PaperTrader
  ) throws -> OrderResponse {
    let ask = offered.map {
      PriceLevel(price: Price(units: 45_100_000), quantity: Quantity(units: $0))
    }
    _ = trader.handle(
      .feed(.tick(TopOfBook(number: tick, venueTime: tick, bid: nil, ask: ask)), of: rules.symbol),
      at: now)
    guard case .shown(let figures) = trader.preview(try request(ticket, trader)) else {
      throw CocoaError(.featureUnsupported)
    }
    return .preview(
      TicketPreview.Figures(
        fill: figures.fill, fee: figures.fill.map { WideInteger($0.average.notional) },
        leavesQuantity: figures.leavesQuantity, remainderRests: figures.remainderRests,
        risk: offered == 60
          ? TicketPreview.Risk(
            slippage: 3, position: Quantity(units: 60), usual: Quantity(units: 10),
            loss: 4)
          : TicketPreview.Risk(), latencyMilliseconds: offered == 60 ? 80 : 0,
        tickNumber: figures.tickNumber, rules: figures.rules))
  }

  private func request(_ ticket: OrderTicket, _ trader: PaperTrader) throws -> OrderRequest {
    try TicketParser(rules: rules).request(ticket, market: trader.liveMarket)
  }

  private func ticket() throws -> OrderTicket {
    OrderTicket(
      clientIdentifier: try #require(ClientOrderIdentifier("a")), side: .buy, kind: .market,
      quantity: "100")
  }
}

/// Types of messages with two shapes, which `ok` selects.
private struct VariantTypes {
  private struct Shape {
    var seen = 0
    var members: [String: (seen: Int, types: Set<String>)] = [:]
  }

  /// Members with enumerated texts.
  private static let words: Set = ["to", "field"]
  /// Members with sentences for the user.
  private static let sentences: Set = ["message", "text"]
  private var shapes: [String: [String: Shape]] = [:]

  mutating func add(_ bytes: [UInt8], under key: String, to type: String) throws {
    let message = try JSONDecoder().decode([String: JSONShape].self, from: Data(bytes))
    guard case .object(let members)? = message[key] else { throw CocoaError(.coderReadCorrupt) }
    var variant = ""
    if case .boolean(let isDone)? = members["ok"] { variant = "\(!isDone)" }
    var shape = shapes[type, default: [:]][variant, default: Shape()]
    shape.seen += 1
    for (key, value) in members {
      var member = shape.members[key, default: (0, [])]
      member.seen += 1
      member.types.insert(Self.type(of: value, under: key))
      shape.members[key] = member
    }
    shapes[type, default: [:]][variant] = shape
  }

  private static func type(of value: JSONShape, under key: String) -> String {
    if sentences.contains(key) { return "Sentence" }
    return switch value {
    case .null: "null"
    case .number: "number"
    case .boolean(let value): key == "ok" ? "\(value)" : "boolean"
    case .text(let text): words.contains(key) ? "\"\(text)\"" : "string"
    // A price and a quantity.
    case .list: "Topic.Amount"
    case .object: "object"
    }
  }

  func text(union: String, of members: [String]) -> String {
    var lines = [
      "// Replies and notices, written from the server's encoders by ReplyTypesTests. To",
      "// regenerate it: UPDATE_TOPIC_TYPES=1 swift test --filter ReplyTypesTests. Only for the",
      "// type check: nothing of this folder is served.",
      "",
      "declare namespace Wire {",
    ]
    for (type, variants) in shapes.sorted(by: { $0.key < $1.key }) {
      lines.append("  type \(type) =")
      for (_, shape) in variants.sorted(by: { $0.key < $1.key }) { lines += Self.lines(of: shape) }
      lines[lines.count - 1] += ";"
      lines.append("")
    }
    lines.append("  type \(union) = \(members.sorted().joined(separator: " | "));")
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  private static func lines(of shape: Shape) -> [String] {
    let members = shape.members.sorted { $0.key < $1.key }.map { key, member in
      let mark = member.seen < shape.seen ? "?" : ""
      return "        \(key)\(mark): \(member.types.sorted().joined(separator: " | "));"
    }
    return ["    | {"] + members + ["      }"]
  }
}
