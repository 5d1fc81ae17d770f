import AppState
package import MarketModel
package import OrderService
package import PaperTrading

extension TopicServer {
  static let maximumAsksUnderWay = 32

  mutating func pass(_ ask: PageAsk, from page: PageID) -> [TopicEffect] {
    guard let record = pages[page] else { return [] }
    guard record.asksUnderWay < TopicServer.maximumAsksUnderWay else {
      return answer(
        .refused(OrderResponse.Refusal("Too many orders in progress. Try again.")), ask, page)
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
    return self.answer(answer, ask, page)
  }

  func answer(_ answer: OrderResponse, _ ask: PageAsk, _ page: PageID) -> [TopicEffect] {
    OrderReplies.reply(to: ask, answer).map { [.send(page, $0)] } ?? []
  }

  /// Applies the current orders.
  package mutating func receive(
    _ overview: TradingOverview, at now: ClockReading
  ) -> [TopicEffect] {
    orders = overview
    return deliver(.orders(overview), of: .orders, at: now)
  }

  /// Applies the current position.
  package mutating func receive(_ report: PositionReport, at now: ClockReading) -> [TopicEffect] {
    positions[report.rules.symbol] = report
    return deliver(.position(report), of: .positions, at: now)
  }

  /// Sends order notices to all pages that show orders; scripts get none.
  ///
  /// A page whose socket is full gets none; it receives the whole history after draining.
  package func receive(_ notices: [OrderNotice]) -> [TopicEffect] {
    let readers = Set(followers[.orders, default: []].flatMap { slots[$0]?.pages ?? [] })
    return readers.sorted().filter { page in
      pages[page].map { $0.reader == .page && !$0.isBehind } == true
    }.flatMap { page in
      notices.map { .send(page, OrderReplies.notice($0)) }
    }
  }
}
