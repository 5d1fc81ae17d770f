// Events reloaded from a file: an impossible successor is an error that changes nothing.

import MarketModel
import PaperTrading
import Testing

@Suite struct `Order history` {
  @Test func `a list of orders is like an array, also when a copy is changed`() throws {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    for _ in 0..<300 { desk.place(.buy, 1, at: "1.00") }
    let before = desk.trader.history.orders
    let array = Array(before)
    #expect(before.count == 300 && array.map(\.identifier.number) == (1...300).map { UInt64($0) })
    #expect(
      before.last?.identifier.number == 300
        && before.suffix(2).map(\.identifier.number) == [299, 300])
    for number in [1, 128, 129, 256, 300] as [UInt64] {
      desk.handle(.cancel(OrderIdentifier(number: number)))
    }
    #expect(Array(before) == array)
    let changed = zip(before, desk.trader.history.orders).filter { $0 != $1 }
    #expect(changed.map(\.0.identifier.number) == [1, 128, 129, 256, 300])
  }

  @Test func `an overview lists a thousand open orders and counts all`() {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    for _ in 0..<1200 { desk.place(.buy, 1, at: "1.00") }
    let overview = desk.trader.overview(storage: nil, failure: nil, skippedTicks: 0)
    #expect(overview.openCount == 1200 && overview.open.count == 1000)
    #expect(overview.open.first?.order.identifier.number == 1200)
  }

  private let time = Timestamp(milliseconds: 5)

  private func placement(_ number: UInt64, _ name: String, limit: Int64 = 100) -> Placement {
    Placement(
      identifier: OrderIdentifier(number: number),
      request: OrderRequest(
        clientIdentifier: ClientOrderIdentifier(name) ?? unreachable(), symbol: Desk.stock,
        side: .buy, kind: .limit(Price(units: limit)), quantity: Quantity(units: 10)),
      arrival: nil)
  }

  private func fill(_ quantity: Int64, at price: Int64 = 100) -> OrderFill {
    OrderFill(
      quantity: Quantity(units: quantity), price: Price(units: price),
      offered: Quantity(units: quantity), tickNumber: 1, venueTime: 1)
  }

  private func refusal(
    of change: OrderEvent.Change, sequence: UInt64 = 2, time: Timestamp? = nil
  ) -> OrderEventProblem? {
    var history = OrderHistory()
    let first = OrderEvent(sequence: 1, time: self.time, change: .accepted(placement(1, "a")))
    do throws(OrderEventProblem) { try history.apply(first) } catch { return error }
    let before = history
    do throws(OrderEventProblem) {
      try history.apply(OrderEvent(sequence: sequence, time: time ?? self.time, change: change))
      return nil
    } catch {
      #expect(history == before)
      return error
    }
  }

  @Test func `an event that cannot follow is refused`() {
    let (one, two) = (OrderIdentifier(number: 1), OrderIdentifier(number: 2))
    let zero = OrderIdentifier(number: 0)
    #expect(refusal(of: .filled(one, fill(10))) == nil)
    #expect(refusal(of: .filled(one, fill(10)), sequence: 1) == .sequence(expected: 2, found: 1))
    #expect(refusal(of: .filled(one, fill(10)), sequence: 3) == .sequence(expected: 2, found: 3))
    #expect(
      refusal(of: .filled(one, fill(10)), time: Timestamp(milliseconds: 4)) == nil,
      "order comes from the sequence, not from a clock")
    #expect(refusal(of: .filled(two, fill(10))) == .unknownOrder(two))
    #expect(refusal(of: .filled(zero, fill(10))) == .unknownOrder(zero))
    #expect(refusal(of: .filled(one, fill(11))) == .badFill(one, Quantity(units: 11)))
    #expect(refusal(of: .filled(one, fill(0))) == .badFill(one, .zero))
    #expect(refusal(of: .filled(one, fill(-1))) == .badFill(one, Quantity(units: -1)))
    #expect(refusal(of: .filled(one, fill(1, at: 0))) == .badFill(one, Quantity(units: 1)))
    #expect(refusal(of: .filled(one, fill(1, at: 101))) == .worseThanLimit(one, Price(units: 101)))
    #expect(refusal(of: .accepted(placement(3, "b"))) == .identifier(expected: 2, found: 3))
    #expect(
      refusal(of: .accepted(placement(2, "a")))
        == .clientIdentifierTwice(ClientOrderIdentifier("a") ?? unreachable()))
  }

  @Test func `nothing leads out of an order's end`() throws {
    let one = OrderIdentifier(number: 1)
    let cancellation = Cancellation(reason: .requested, level: nil, available: .zero)
    let ends: [OrderEvent.Change] = [.filled(one, fill(10)), .cancelled(one, cancellation)]
    for end in ends {
      for next in ends {
        var history = try OrderHistory(replaying: [
          OrderEvent(sequence: 1, time: time, change: .accepted(placement(1, "a"))),
          OrderEvent(sequence: 2, time: time, change: end),
        ])
        #expect(throws: OrderEventProblem.orderEnded(one)) {
          try history.apply(OrderEvent(sequence: 3, time: time, change: next))
        }
      }
    }
  }

  @Test func `sums beyond 63 bits are refused, not wrapped`() throws {
    let one = OrderIdentifier(number: 1)
    let request = OrderRequest(
      clientIdentifier: ClientOrderIdentifier("a") ?? unreachable(), symbol: Desk.stock,
      side: .sell, kind: .market, quantity: Quantity(units: .max))
    var history = try OrderHistory(replaying: [
      OrderEvent(
        sequence: 1, time: time,
        change: .accepted(Placement(identifier: one, request: request, arrival: nil)))
    ])
    #expect(throws: OrderEventProblem.badFill(one, Quantity(units: .max))) {
      try history.apply(
        OrderEvent(sequence: 2, time: time, change: .filled(one, fill(.max, at: 2))))
    }
  }

  @Test func `the state hash sees every kind of difference`() throws {
    let one = OrderIdentifier(number: 1)
    func hash(_ limit: Int64, _ name: String, _ change: OrderEvent.Change?) throws -> UInt64 {
      let first = OrderEvent(
        sequence: 1, time: time, change: .accepted(placement(1, name, limit: limit)))
      let second = change.map { OrderEvent(sequence: 2, time: time, change: $0) }
      return try OrderHistory(replaying: [first] + [second].compactMap { $0 }).stateHash
    }
    let level = PriceLevel(price: Price(units: 3), quantity: Quantity(units: 4))
    let hashes = [
      try hash(100, "a", nil), try hash(101, "a", nil), try hash(100, "b", nil),
      try hash(100, "a", .filled(one, fill(1))), try hash(100, "a", .filled(one, fill(2))),
      try hash(100, "a", .filled(one, fill(1, at: 99))),
      try hash(
        100, "a", .cancelled(one, Cancellation(reason: .requested, level: nil, available: .zero))),
      try hash(
        100, "a",
        .cancelled(one, Cancellation(reason: .requested, level: level, available: .zero))),
      try hash(
        100, "a",
        .cancelled(one, Cancellation(reason: .immediateOrCancel, level: level, available: .zero))),
    ]
    #expect(Set(hashes).count == hashes.count)
    #expect(OrderHistory().stateHash == 0x88201fb960ff6465, "the hash is a stored format")
  }
}
