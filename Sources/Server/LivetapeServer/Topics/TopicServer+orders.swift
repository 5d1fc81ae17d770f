// Orders at the topic server: commands go out to the order service, responses come back to the
// page that asked, notices go to every page that shows orders.

import AppState
package import MarketModel
package import OrderService
package import PaperTrading

extension TopicServer {
  /// The most commands of one page that may be without a response.
  static let maximumAsksUnderWay = 32
  /// The topics that draw orders; their pages get notices.
  private static let orderTopics = ["orders", "openOrders"]
  /// What scripts read of orders; nobody there is sent notices.
  private static let scriptTopics = [ScriptSubject.orders.topic, ScriptSubject.positions.topic]

  /// A page sends a command to the order service.
  mutating func pass(_ ask: PageAsk, from page: PageID) -> [TopicEffect] {
    guard let record = pages[page] else { return [] }
    guard record.asksUnderWay < TopicServer.maximumAsksUnderWay else {
      return [
        .answer(
          page, ask, .refused(OrderResponse.Refusal("Too many orders are under way. Try again.")))
      ]
    }
    pages[page]?.asksUnderWay += 1
    return [.ask(page, ask)]
  }

  /// The order service has responded.
  ///
  /// A page that is gone meanwhile gets nothing; its order stands.
  package mutating func receive(
    _ answer: OrderResponse, to ask: PageAsk, from page: PageID
  ) -> [TopicEffect] {
    guard pages[page] != nil else { return [] }
    pages[page]?.asksUnderWay -= 1
    return [.answer(page, ask, answer)]
  }

  /// The orders as they stand now.
  package mutating func receive(
    _ overview: TradingOverview, at now: ClockReading
  ) -> [TopicEffect] {
    orders = overview
    let topics = TopicServer.orderTopics + TopicServer.scriptTopics
    return topics.flatMap { deliver(.orders(overview), to: $0, at: now) }
  }

  /// What is owned, as it stands now.
  package mutating func receive(_ report: PositionReport, at now: ClockReading) -> [TopicEffect] {
    position = report
    return ["positions", ScriptSubject.positions.topic].flatMap {
      deliver(.position(report), to: $0, at: now)
    }
  }

  /// News of orders, for all pages that show them.
  ///
  /// A page whose socket is full gets none: it gets the whole history once it has drained.
  package func receive(_ notices: [OrderNotice]) -> [TopicEffect] {
    let readers = TopicServer.orderTopics.reduce(into: Set<PageID>()) { readers, topic in
      readers.formUnion(slots[topic]?.pages ?? [])
    }
    return readers.sorted().filter { pages[$0]?.isBehind == false }.flatMap { page in
      notices.map { .notify(page, $0) }
    }
  }
}
