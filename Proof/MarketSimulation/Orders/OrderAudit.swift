import MarketModel
import PaperTrading

/// Orders, fills and money summed from the events alone, without the product's own sums.
struct OrderAudit {
  private struct Line {
    var quantity: Int64
    var side: Side
    var filled: Int64 = 0
    var isOver = false
  }

  /// The quantity that one tick offered on one side, and what was filled from it.
  private struct Offer: Hashable {
    let tick: UInt64
    let time: UInt64
    let side: Side
    let price: Int64
  }

  private var lines: [UInt64: Line] = [:]
  private var taken: [Offer: Int64] = [:]
  private(set) var count = 0
  private(set) var position: Int64 = 0
  private(set) var cash: Int64 = 0
  private var problem: String?

  /// Applies new events; returns a problem, or nil.
  mutating func take(_ events: [OrderEvent]) -> String? {
    for event in events[min(count, events.count)...] { take(event) }
    count = events.count
    return problem
  }

  private mutating func take(_ event: OrderEvent) {
    guard let number = event.order?.number else { return }
    switch event.change {
    case .accepted(let placement):
      lines[number] = Line(
        quantity: placement.request.quantity.units, side: placement.request.side)
    case .rejected: lines[number] = Line(quantity: 0, side: .buy, isOver: true)
    case .amended(_, let amendment): lines[number]?.quantity = amendment.quantity.units
    case .cancelled: end(number)
    case .arrived, .requested, .possible, .triggered, .trailed, .listed: break
    case .filled(_, let fill): take(fill, of: number)
    }
  }

  private mutating func end(_ number: UInt64) {
    if lines[number]?.isOver != false { note("order \(number) ended twice") }
    lines[number]?.isOver = true
  }

  private mutating func take(_ fill: OrderFill, of number: UInt64) {
    guard var line = lines[number], !line.isOver else {
      return note("a fill of order \(number), which is over")
    }
    line.filled += fill.quantity.units
    if line.filled > line.quantity {
      note("order \(number): expected at most \(line.quantity), found \(line.filled) filled")
    }
    line.isOver = line.filled == line.quantity
    lines[number] = line
    let sign: Int64 = line.side == .buy ? 1 : -1
    position += sign * fill.quantity.units
    cash -= sign * fill.quantity.units * fill.price.units
    let offer = Offer(
      tick: fill.tickNumber, time: fill.venueTime, side: line.side, price: fill.price.units)
    taken[offer, default: 0] += fill.quantity.units
    if let all = taken[offer], all > fill.offered.units {
      note("tick \(fill.tickNumber): \(fill.offered.units) offered, \(all) taken")
    }
  }

  private mutating func note(_ text: String) { problem = problem ?? text }

  /// The difference from the product's own history; nil when it agrees.
  func difference(from history: OrderHistory, of symbol: Symbol) -> String? {
    let account = history.account(of: symbol)
    guard account.quantity.units == position else {
      return "expected a position of \(position), found \(account.quantity.units)"
    }
    guard account.cash == WideInteger(cash) else { return "expected \(cash) of cash" }
    guard history.orders.count == lines.count else {
      return "expected \(lines.count) orders, found \(history.orders.count)"
    }
    for order in history.orders {
      guard let line = lines[order.identifier.number] else { return "\(order.identifier) is new" }
      guard order.filledQuantity.units == line.filled, order.life.isOpen != line.isOver else {
        return "order \(order.identifier): expected \(line.filled) filled, found "
          + "\(order.filledQuantity.units)"
      }
      guard order.life.status != .rejected else { continue }
      let sum =
        order.filledQuantity.units + order.openQuantity.units + order.cancelledQuantity.units
      guard sum == order.request.quantity.units else {
        return "order \(order.identifier): filled, open and cancelled are \(sum)"
      }
    }
    return nil
  }
}
