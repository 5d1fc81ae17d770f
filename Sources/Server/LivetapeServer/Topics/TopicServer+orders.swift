import AppState
package import MarketModel
package import OrderService
package import PaperTrading

extension TopicServer {
  static let maximumAsksUnderWay = 32
  /// The topics whose pages get order notices.
  private static let orderTopics = ["orders", "openOrders"]
  /// Scripts get no notices.
  private static let scriptTopics = [ScriptSubject.orders.topic, ScriptSubject.positions.topic]

  mutating func pass(_ ask: PageAsk, from page: PageID) -> [TopicEffect] {
    guard let record = pages[page] else { return [] }
    guard record.asksUnderWay < TopicServer.maximumAsksUnderWay else {
      return [
        .answer(
          page, ask, .refused(OrderResponse.Refusal("Too many orders in progress. Try again.")))
      ]
    }
    pages[page]?.asksUnderWay += 1
    return [.ask(page, ask)]
  }

  /// Applies a response of the order service.
  ///
  /// A page that has disconnected gets nothing; its order is unaffected.
  package mutating func receive(
    _ answer: OrderResponse, to ask: PageAsk, from page: PageID
  ) -> [TopicEffect] {
    guard pages[page] != nil else { return [] }
    pages[page]?.asksUnderWay -= 1
    return [.answer(page, ask, answer)]
  }

  /// Applies the current orders.
  package mutating func receive(
    _ overview: TradingOverview, at now: ClockReading
  ) -> [TopicEffect] {
    orders = overview
    let topics = TopicServer.orderTopics + TopicServer.scriptTopics
    return topics.flatMap { deliver(.orders(overview), to: $0, at: now) }
  }

  /// Applies the current position.
  package mutating func receive(_ report: PositionReport, at now: ClockReading) -> [TopicEffect] {
    positions[report.rules.symbol] = report
    return ["positions", ScriptSubject.positions.topic].flatMap {
      deliver(.position(report), to: $0, at: now)
    }
  }

  /// Sends order notices to all pages that show orders.
  ///
  /// A page whose socket is full gets none; it receives the whole history after draining.
  package func receive(_ notices: [OrderNotice]) -> [TopicEffect] {
    let readers = TopicServer.orderTopics.reduce(into: Set<PageID>()) { readers, topic in
      readers.formUnion(slots[topic]?.pages ?? [])
    }
    return readers.sorted().filter { pages[$0]?.isBehind == false }.flatMap { page in
      notices.map { .notify(page, $0) }
    }
  }
}
