// Messages between servers and the process that keeps their orders.

import MarketModel
import NIOCore
import OrderLedger
import OrderService
import PaperTrading
import Testing

@testable import SharedLedger

@Suite struct LedgerRecordTests {
  private static let commands: [ClientCommand] = [
    .place(LedgerSamples.ticket("a")),
    .place(LedgerSamples.ticket("b", at: nil, "  7\t\"ü\\ ")),
    .place(
      OrderTicket(
        clientIdentifier: LedgerSamples.name("c"), side: .sell,
        kind: .protectedMarket(protection: "44,9"), quantity: "")),
    .place(
      OrderTicket(
        clientIdentifier: LedgerSamples.name("d"), side: .sell,
        kind: .limit(price: "", .fillOrKill), quantity: "1")),
    .preview(LedgerSamples.ticket("e", at: "45.01")),
    .amend(
      AmendTicket(
        clientIdentifier: LedgerSamples.name("f"), order: OrderIdentifier(number: 3),
        quantity: "9", price: nil)),
    .amend(
      AmendTicket(
        clientIdentifier: LedgerSamples.name("g"), order: OrderIdentifier(number: 4),
        quantity: nil, price: "46")),
    .cancel(OrderIdentifier(number: 12)),
    .cancelAll(through: OrderIdentifier(number: 0)),
  ]
  private static let responses: [OrderResponse] = [
    .placed(OrderIdentifier(number: 7), isRepeated: false),
    .placed(OrderIdentifier(number: 8), isRepeated: true),
    .amended(OrderIdentifier(number: 9), isRepeated: true),
    .cancelled(OrderIdentifier(number: 10)),
    .cancelledAll(count: 3),
    .preview(
      TicketPreview.Figures(
        fill: Execution([
          OrderFill(
            quantity: Quantity(units: 4), price: Price(units: 45_020_000),
            offered: Quantity(units: 4), tickNumber: 1, venueTime: 1)
        ]),
        leavesQuantity: Quantity(units: 6), remainderRests: true, tickNumber: 99,
        rules: LedgerSamples.rules)),
    .preview(
      TicketPreview.Figures(
        fill: nil, fee: WideInteger(7), leavesQuantity: .zero, remainderRests: false, tickNumber: 0,
        rules: LedgerSamples.rules)),
    .refused(OrderResponse.Refusal("No \"such\" order {7}.")),
    .refused(
      OrderResponse.Refusal(
        "Too many.", field: .quantity, order: OrderIdentifier(number: 2), isNameTaken: true,
        isFinal: true)),
    .unconfirmed("Nobody knows."),
  ]

  @Test(arguments: commands.indices) func `a command is read as it was written`(at index: Int) {
    let sent = SentCommand(epoch: 17, pulse: 4, command: Self.commands[index])
    #expect(SentCommand(sent.bytes) == sent)
  }

  @Test(arguments: responses.indices) func `a response is read as it was written`(at index: Int) {
    #expect(
      OrderResponse(Self.responses[index].bytes, under: LedgerSamples.rules)
        == Self.responses[index])
  }

  @Test func `a preview in other units than the server's is unreadable`() throws {
    let market = try #require(
      TradingRules(
        symbol: LedgerSamples.market, priceScale: .whole, tick: Price(units: 1),
        maximumPrice: Price(units: 100), quantityScale: .whole, lot: Quantity(units: 1),
        maximumQuantity: Quantity(units: 100), currency: "USD"))
    let figures = TicketPreview.Figures(
      fill: nil, leavesQuantity: .zero, remainderRests: false, tickNumber: 0, rules: market)
    let bytes = OrderResponse.preview(figures).bytes
    #expect(OrderResponse(bytes, under: market) == .preview(figures))
    #expect(OrderResponse(bytes, under: LedgerSamples.rules) == nil)
  }

  @Test func `pieces, pulses and notices are read as they were written`() throws {
    let sample = try #require(LedgerSamples.pieces(LedgerSamples.events(9), of: 100).first)
    let piece = LedgerPiece(epoch: 5, excerpt: sample.excerpt)
    #expect(LedgerPiece(piece.bytes) == piece)
    let none = LedgerPiece(epoch: 5, excerpt: LedgerExcerpt(after: 9, hash: nil, texts: []))
    #expect(LedgerPiece(none.bytes) == none)
    for failure in [nil, "The disk is full.", "The bus is down: \("x")."] as [Sentence?] {
      let pulse = LedgerPulse(
        epoch: 1, number: 2, identity: LedgerSamples.identity, sequence: 3,
        head: failure == nil ? sample.end : nil, skippedTicks: 4, failure: failure)
      #expect(LedgerPulse(pulse.bytes) == pulse)
      #expect(LedgerPulse(pulse.bytes)?.failure?.key == failure?.key)
    }
    var trader = PaperTrader(rules: LedgerSamples.rules)
    let request = OrderRequest(
      clientIdentifier: LedgerSamples.name("n"), symbol: LedgerSamples.rules.symbol, side: .buy,
      kind: .limit(Price(units: 40_000_000)), quantity: Quantity(units: 5))
    let decision = trader.handle(.place(request), at: ClockReading(milliseconds: 77))
    let notices = LedgerNotices(decision.notices)
    #expect(notices.lines.count == 1)
    #expect(notices.lines.first?.text == decision.notices[0].text)
    #expect(LedgerNotices(notices.bytes) == notices)
    let key = "Order open: {0} {1} at {2} or better; {3}."
    #expect(LedgerNotices(notices.bytes)?.lines.first?.text.key == key)
  }

  @Test(arguments: [
    "x", "\"x", "7", "[]", "[\"a\",7]", #"["a",["b",["c",["d",["e"]]]]]"#,
    "[\"a\"" + String(repeating: ",\"b\"", count: 13) + "]",
    "\"" + String(repeating: "k", count: 301) + "\"",
  ])
  func `a sentence that breaks its bounds makes the whole record unreadable`(text: String) {
    #expect(LedgerPulse(ByteBuffer(string: "1 2 - 3 - 4\t\(text)")) == nil)
    #expect(LedgerNotices(ByteBuffer(string: "1 2 0\t\(text)")) == nil)
    let response = #"{"is":"unconfirmed","message":\#(text)}"#
    #expect(OrderResponse(ByteBuffer(string: response), under: LedgerSamples.rules) == nil)
  }

  @Test func `a sentence's arguments are made harmless`() throws {
    let text = #"["a {0}\u001b","b\u202e\nc"]"#
    let pulse = try #require(LedgerPulse(ByteBuffer(string: "1 2 - 3 - 4\t\(text)")))
    #expect(pulse.failure == "a b c ")
    let response = #"{"is":"unconfirmed","message":\#(text)}"#
    let read = OrderResponse(ByteBuffer(string: response), under: LedgerSamples.rules)
    #expect(read == .unconfirmed("a b c "))
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `what is cut, changed or made up is refused or read as something whole`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let sample = LedgerPiece(
      epoch: 5, excerpt: LedgerExcerpt(after: 0, hash: nil, texts: ["{}", ""]))
    let pulse = LedgerPulse(
      epoch: 1, number: 2, identity: nil, sequence: 3, head: nil, skippedTicks: 4, failure: "x")
    let whole =
      Self.commands.map { SentCommand(epoch: 1, pulse: 2, command: $0).bytes }
      + Self.responses.map(\.bytes) + [sample.bytes, pulse.bytes]
    var read = 0
    for _ in 0..<4000 {
      var bytes = Array(whole[Int(random.below(Int64(whole.count)))].readableBytesView)
      switch random.below(3) {
      case 0: bytes = Array(bytes.prefix(Int(random.below(Int64(bytes.count)))))
      case 1: bytes[Int(random.below(Int64(bytes.count)))] = UInt8(random.below(256))
      default: bytes = (0..<random.below(40)).map { _ in UInt8(random.below(256)) }
      }
      let buffer = ByteBuffer(bytes: bytes)
      // What is read round-trips through writing.
      if let command = SentCommand(buffer) {
        #expect(SentCommand(command.bytes) == command, "seed \(seed)")
        read += 1
      }
      if let response = OrderResponse(buffer, under: LedgerSamples.rules) {
        #expect(
          OrderResponse(response.bytes, under: LedgerSamples.rules) == response, "seed \(seed)")
      }
      if let piece = LedgerPiece(buffer) {
        #expect(LedgerPiece(piece.bytes) == piece, "seed \(seed)")
      }
      if let pulse = LedgerPulse(buffer) {
        #expect(LedgerPulse(pulse.bytes) == pulse, "seed \(seed)")
      }
      if let notices = LedgerNotices(buffer) {
        #expect(LedgerNotices(notices.bytes) == notices, "seed \(seed)")
      }
    }
    #expect(read > 0, "seed \(seed): some changes leave a command")
  }

  @Test func `a command that was too long on its way is not timely`() {
    var term = LedgerTerm(
      epoch: 3,
      orders: OrderService(
        path: "/nowhere", rules: LedgerSamples.rules, clock: { ClockReading(milliseconds: 0) },
        tell: { _ in }))
    func sent(_ pulse: UInt64, epoch: UInt64 = 3) -> SentCommand {
      SentCommand(epoch: epoch, pulse: pulse, command: .cancel(OrderIdentifier(number: 1)))
    }
    #expect(!term.isTimely(sent(0), at: LedgerSamples.at(0)), "no pulse was heard")
    for pulse in 0..<100 { _ = term.pulse(at: LedgerSamples.at(Int64(pulse) * 250)) }
    let now = LedgerSamples.at(24_750)
    #expect(term.isTimely(sent(100), at: now))
    #expect(term.isTimely(sent(80), at: now))
    #expect(!term.isTimely(sent(79), at: now), "5,250 ms")
    #expect(!term.isTimely(sent(1), at: now))
    #expect(!term.isTimely(sent(101), at: now), "it was never sent")
    #expect(!term.isTimely(sent(100, epoch: 2), at: now))
    #expect(!term.isTimely(sent(100), at: LedgerSamples.at(29_751)), "pulses have stopped")
  }
}
