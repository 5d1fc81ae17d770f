// Requests for products go to somebody else's server, with the person's token: few at a time, one a
// product, none that nobody waits for any more.

import MarketModel

/// Which products are being asked for, and which wait for their turn.
struct ProductQueue: Sendable {
  /// The most requests at a time.
  static let maximumUnderWay = 4

  private var underWay: Set<Symbol> = []
  private var waiting: [Symbol] = []

  /// An empty queue.
  init() {}

  /// Somebody wants a product; gives what to ask for now.
  mutating func want(_ product: Symbol) -> Symbol? {
    guard !underWay.contains(product), !waiting.contains(product) else { return nil }
    waiting.append(product)
    return next()
  }

  /// A request has ended, or nobody wants its product any more; gives what to ask for now.
  mutating func end(_ product: Symbol) -> Symbol? {
    underWay.remove(product)
    waiting.removeAll { $0 == product }
    return next()
  }

  private mutating func next() -> Symbol? {
    guard underWay.count < ProductQueue.maximumUnderWay, !waiting.isEmpty else { return nil }
    let product = waiting.removeFirst()
    underWay.insert(product)
    return product
  }
}
