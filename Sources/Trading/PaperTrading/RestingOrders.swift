import MarketModel

/// The open orders of one instrument: those that rest, one queue per side, and those that wait.
///
/// Price-time priority: best price first, then earliest arrival.
struct RestingOrders: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    let identifier: OrderIdentifier
    /// The limit; of a waiting order, the trigger.
    let limit: Price
  }

  private(set) var buys: [Entry] = []
  private(set) var sells: [Entry] = []

  /// Orders that wait for a trade at their price or higher, the lowest first.
  private(set) var rising: [Entry] = []
  /// Orders that wait for a trade at their price or lower, the highest first.
  private(set) var falling: [Entry] = []
  /// The trailing stops of those.
  private(set) var trailing: [OrderIdentifier] = []
  /// Orders on their way to the venue.
  private(set) var travelling: [OrderIdentifier] = []
  /// Triggered or arrived orders that can't rest, while there is no live market.
  private(set) var due: [OrderIdentifier] = []

  var isEmpty: Bool { all.isEmpty }

  var all: [OrderIdentifier] {
    [buys, sells, rising, falling].joined().map(\.identifier) + due + travelling
  }

  var waiting: [OrderIdentifier] { [rising, falling].joined().map(\.identifier) }

  /// Adds an open order to the queue that it belongs to.
  mutating func insert(_ order: Order) {
    if order.isTravelling {
      travelling.append(order.identifier)
    } else if order.isWaiting, let trigger = order.request.trigger {
      let entry = Entry(identifier: order.identifier, limit: trigger.price)
      if trigger.trail != nil { trailing.append(order.identifier) }
      if trigger.isRising(for: order.request.side) {
        rising.insert(entry, at: rising.firstIndex { $0.limit > entry.limit } ?? rising.endIndex)
      } else {
        falling.insert(entry, at: falling.firstIndex { $0.limit < entry.limit } ?? falling.endIndex)
      }
    } else if case .limit(let limit) = order.request.kind {
      insert(Entry(identifier: order.identifier, limit: limit), side: order.request.side)
    } else if order.activation != nil || order.arrivedAt != nil {
      due.append(order.identifier)
    }
  }

  func queue(_ side: Side) -> [Entry] { side == .buy ? buys : sells }

  /// Inserts an order behind all others at its price.
  ///
  /// O(n).
  mutating func insert(_ entry: Entry, side: Side) {
    switch side {
    case .buy: buys.insert(entry, at: buys.firstIndex { $0.limit < entry.limit } ?? buys.endIndex)
    case .sell:
      sells.insert(entry, at: sells.firstIndex { $0.limit > entry.limit } ?? sells.endIndex)
    }
  }

  /// Removes an order if present.
  ///
  /// O(n).
  mutating func remove(_ identifier: OrderIdentifier, side: Side) {
    switch side {
    case .buy: buys.removeAll { $0.identifier == identifier }
    case .sell: sells.removeAll { $0.identifier == identifier }
    }
    rising.removeAll { $0.identifier == identifier }
    falling.removeAll { $0.identifier == identifier }
    trailing.removeAll { $0 == identifier }
    due.removeAll { $0 == identifier }
    travelling.removeAll { $0 == identifier }
  }
}
