import MarketModel

/// Product requests, which go to a third-party server with the user's token: few at a time, one per
/// product, and only while the product is needed.
struct ProductQueue: Sendable {
  static let maximumUnderWay = 4

  private var underWay: Set<Symbol> = []
  private var waiting: [Symbol] = []

  init() {}

  /// Queues a product; returns the next request to send.
  mutating func want(_ product: Symbol) -> Symbol? {
    guard !underWay.contains(product), !waiting.contains(product) else { return nil }
    waiting.append(product)
    return next()
  }

  /// Ends a request or cancels a product; returns the next request to send.
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
