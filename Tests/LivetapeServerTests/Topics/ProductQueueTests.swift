// Few product requests at a time, at most one a product.

import MarketModel
import Testing

@testable import LivetapeServer

@Suite struct ProductQueueTests {
  private func symbols(_ count: Int) -> [Symbol] { (0..<count).compactMap { Symbol("p\($0)") } }

  @Test func `four products are requested at a time, in the order of the requests`() {
    var queue = ProductQueue()
    let products = symbols(6)
    #expect(products.compactMap { queue.want($0) } == Array(products.prefix(4)))
    #expect(queue.end(products[2]) == products[4])
    #expect(queue.end(products[0]) == products[5])
    #expect(queue.end(products[1]) == nil)
  }

  @Test func `a product is requested once, however many need it`() {
    var queue = ProductQueue()
    let products = symbols(5)
    for product in products { _ = queue.want(product) }
    #expect(queue.want(products[0]) == nil, "under way")
    #expect(queue.want(products[4]) == nil, "waiting")
    #expect(queue.end(products[0]) == products[4])
    #expect(queue.end(products[1]) == nil, "nothing waits twice")
    #expect(queue.want(products[0]) == products[0], "it may be asked for again")
  }

  @Test func `a cancelled request is not sent`() {
    var queue = ProductQueue()
    let products = symbols(6)
    for product in products { _ = queue.want(product) }
    #expect(queue.end(products[4]) == nil)
    #expect(queue.end(products[0]) == products[5])
  }
}
