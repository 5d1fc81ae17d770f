// The work that is measured: a book of 20,000 orders that stays about that deep while orders come
// and go near the touch. About 45 % passive limit orders, 45 % cancels, 5 % modifies, 2.5 % market
// and 2.5 % crossing limit orders; equal seeds give equal flows.

import Foundation
import MarketModel
import OrderMatching

/// Writes the flow's commands by playing them on an engine of its own.
struct OrderFlow {
  static let startPrice: Int64 = 100_000

  let prefill: Int
  private var random: SplitMix64
  private var engine = FastMatchingEngine()
  private var fills: [Fill] = []
  private var entered: UInt64 = 0
  private var live: [LiveOrder] = []
  private var positions: [UInt64: Int] = [:]

  private struct LiveOrder {
    let id: UInt64
    let side: Side
    var price: Int64
    var quantity: Int64
  }

  init(seed: UInt64, prefill: Int = 20_000) {
    self.prefill = prefill
    random = SplitMix64(seed: seed)
  }

  /// The orders that build the book: none of them trades.
  mutating func prefillCommands() -> [OrderCommand] {
    (0..<prefill).map { index in
      let side: Side = index.isMultiple(of: 2) ? .buy : .sell
      let distance = 1 + (unit() < 0.9 ? geometric(mean: 25) : random.below(500))
      return enter(
        side, price: OrderFlow.startPrice + (side == .sell ? distance : -distance), quantity())
    }
  }

  /// The next `count` commands of the timed part.
  mutating func commands(_ count: Int) -> [OrderCommand] {
    (0..<count).map { _ in next() }
  }

  private mutating func next() -> OrderCommand {
    let choice = unit()
    if choice < 0.90 || live.count < 100 { return addOrCancel() }
    if choice < 0.95 { return modify() }
    let side: Side = random.below(2) == 0 ? .buy : .sell
    let quantity = max(1, Int64(Double(quantity()) * 1.6))
    if choice < 0.975 { return market(side, quantity) }
    let beyond = random.below(4)
    return enter(
      side, price: side == .buy ? best(.sell) + beyond : best(.buy) - beyond, quantity)
  }

  /// Steers the number of live orders back towards the prefill.
  private mutating func addOrCancel() -> OrderCommand {
    let lack = Double(4 * (prefill - live.count)) / Double(prefill)
    let chance = 0.5 + 0.5 * max(-1, min(1, lack))
    let isThin = engine.best(.buy) == nil || engine.best(.sell) == nil
    guard unit() < chance || isThin else { return cancel() }
    let side: Side = random.below(2) == 0 ? .buy : .sell
    let distance = 1 + (unit() < 0.95 ? geometric(mean: 12) : random.below(500))
    let price = side == .buy ? best(.sell) - distance : best(.buy) + distance
    return enter(side, price: price, quantity())
  }

  private mutating func modify() -> OrderCommand {
    let order = live[Int(random.below(Int64(live.count)))]
    let choice = unit()
    var price = order.price
    var quantity = max(1, order.quantity / 2)
    if choice >= 0.3 {
      quantity = self.quantity()
      price = choice < 0.97 ? price + random.below(11) - 5 : best(order.side == .buy ? .sell : .buy)
    }
    let command = OrderCommand.modify(
      OrderID(order.id), price: Price(units: price), quantity: Quantity(units: quantity))
    play(command, id: order.id, side: order.side, price: price)
    return command
  }

  private mutating func cancel() -> OrderCommand {
    let id = live[Int(random.below(Int64(live.count)))].id
    _ = engine.cancel(OrderID(id))
    forget(id)
    return .cancel(OrderID(id))
  }

  private mutating func enter(_ side: Side, price: Int64, _ quantity: Int64) -> OrderCommand {
    entered += 1
    let command = OrderCommand.enter(
      NewOrder(
        id: OrderID(entered), side: side, kind: .limit(Price(units: price)),
        quantity: Quantity(units: quantity)))
    play(command, id: entered, side: side, price: price)
    return command
  }

  private mutating func market(_ side: Side, _ quantity: Int64) -> OrderCommand {
    entered += 1
    let command = OrderCommand.enter(
      NewOrder(
        id: OrderID(entered), side: side, kind: .market, quantity: Quantity(units: quantity)))
    play(command, id: entered, side: side, price: 0)
    return command
  }
}

// MARK: - The flow's own book

extension OrderFlow {
  private mutating func play(_ command: OrderCommand, id: UInt64, side: Side, price: Int64) {
    fills.removeAll(keepingCapacity: true)
    let report = engine.submit(command, fills: &fills)
    for fill in fills { reduce(fill.maker.number, by: fill.quantity.units) }
    forget(id)
    if report.resting.units > 0 {
      positions[id] = live.count
      live.append(LiveOrder(id: id, side: side, price: price, quantity: report.resting.units))
    }
  }

  private mutating func reduce(_ id: UInt64, by quantity: Int64) {
    guard let position = positions[id] else { return }
    live[position].quantity -= quantity
    if live[position].quantity == 0 { forget(id) }
  }

  private mutating func forget(_ id: UInt64) {
    guard let position = positions.removeValue(forKey: id) else { return }
    let last = live.removeLast()
    if last.id != id {
      live[position] = last
      positions[last.id] = position
    }
  }

  private func best(_ side: Side) -> Int64 {
    engine.best(side)?.price.units ?? OrderFlow.startPrice
  }
}

// MARK: - Chance

extension OrderFlow {
  private mutating func unit() -> Double { Double(random.next() >> 11) / Double(1 << 53) }

  private mutating func geometric(mean: Double) -> Int64 {
    Int64(log(1 - unit()) / log(1 - 1 / mean))
  }

  /// Log-normal, 1 to 5,000, median about 37.
  private mutating func quantity() -> Int64 {
    let normal = (-2 * log(1 - unit())).squareRoot() * cos(2 * Double.pi * unit())
    return max(1, min(5000, Int64(exp(3.6 + 1.1 * normal))))
  }
}
