// Conversions between the ticket and the order service: orders, responses and market data.

import AppState
import MarketModel
import OrderService
import PaperTrading
import TicketModel

extension OrderTicket {
  /// Nil for an invalid name.
  init?(_ order: TicketOrder) {
    guard let name = ClientOrderIdentifier(order.name) else { return nil }
    self.init(
      clientIdentifier: name, side: order.side, kind: Kind(order.terms),
      quantity: order.quantity)
  }
}

extension OrderTicket.Kind {
  fileprivate init(_ terms: TicketOrder.Terms) {
    switch terms {
    case .market(nil): self = .market
    case .market(let protection?): self = .protectedMarket(protection: protection)
    case .limit(let price, .goodTillCancelled): self = .limit(price: price)
    case .limit(let price, .immediateOrCancel): self = .limit(price: price, .immediateOrCancel)
    case .limit(let price, .fillOrKill): self = .limit(price: price, .fillOrKill)
    }
  }
}

extension PreviewReply {
  /// Nil for a response to something else.
  init?(_ response: OrderResponse, rules: TradingRules) {
    switch response {
    case .preview(let figures):
      self = .figures(
        fill: figures.fill.flatMap { fill in
          rules.decimal(fill.average).map {
            BestLevel(price: $0, quantity: rules.decimal(fill.quantity))
          }
        },
        leaves: rules.decimal(figures.leavesQuantity), rests: figures.remainderRests,
        risk: PreviewRisk(
          slippage: figures.risk.slippage.map { FixedDecimal(units: $0, scale: .whole) },
          position: figures.risk.position.map { rules.decimal($0) },
          usual: figures.risk.usual.map { rules.decimal($0) }))
    case .refused(let refusal):
      self = .refused(
        refusal.message, field: TicketDraft.Field(refusal.field), usual: refusal.usual)
    case .placed, .amended, .cancelled, .cancelledAll, .unconfirmed: return nil
    }
  }
}

extension OrderReply {
  /// Nil for a response to something else.
  init?(_ response: OrderResponse) {
    switch response {
    case .placed(let order, let isRepeated):
      self = .placed(order: order.description, isRepeated: isRepeated)
    case .refused(let refusal):
      self = .refused(
        refusal.message, field: TicketDraft.Field(refusal.field),
        order: refusal.order?.description)
    case .preview, .amended, .cancelled, .cancelledAll, .unconfirmed: return nil
    }
  }
}

extension TicketDraft.Field {
  init?(_ field: TicketProblem.Field?) {
    switch field {
    case .quantity?: self = .quantity
    case .price?: self = .price
    case nil: return nil
    }
  }
}

extension TicketMarket {
  init(_ state: ExchangeState, rules: TradingRules, revision: UInt64) {
    self.init(
      lot: rules.decimal(rules.lot), tick: rules.decimal(rules.tick), revision: revision)
    bid = state.bid.map { BestLevel(price: $0, quantity: state.bidSize.map(rules.decimal)) }
    ask = state.ask.map { BestLevel(price: $0, quantity: state.askSize.map(rules.decimal)) }
    last = state.price
    maximumQuantity = rules.decimal(rules.maximumQuantity)
    maximumPrice = rules.decimal(rules.maximumPrice)
  }
}

extension SentOrder {
  /// The order in the history; nil until it is confirmed.
  var historyOrder: OrderIdentifier? {
    identifier.flatMap { UInt64($0) }.map { OrderIdentifier(number: $0) }
  }
}
