// Conversions between the ticket and the order service: orders, responses and market data.

package import AppState
package import MarketModel
package import OrderService
package import PaperTrading
package import TicketModel

extension OrderTicket {
  /// Nil for an invalid name.
  package init?(_ order: TicketOrder) {
    let instrument = Symbol(order.instrument)
    guard let name = ClientOrderIdentifier(order.name),
      instrument != nil || order.instrument.isEmpty
    else { return nil }
    self.init(
      clientIdentifier: name, instrument: instrument, side: order.side, kind: Kind(order.terms),
      quantity: order.quantity, trigger: TriggerTicket(order), exits: ExitsTicket(order),
      terms: OrderTerms(
        isPostOnly: order.validity.isPostOnly, isReduceOnly: order.isReduceOnly,
        expiry: order.expiry))
  }
}

extension TriggerTicket {
  fileprivate init?(_ order: TicketOrder) {
    guard let trigger = order.trigger else { return nil }
    switch order.condition {
    case .stop: self.init(.stop, at: trigger)
    case .takeProfit: self.init(.takeProfit, at: trigger)
    case .trail: self.init(trailing: trigger, in: .price)
    case .trailPercent: self.init(trailing: trigger, in: .percent)
    case .none, .oco, .bracket: return nil
    }
  }
}

extension ExitsTicket {
  fileprivate init?(_ order: TicketOrder) {
    switch order.condition {
    case .oco: self.init(.oco, stop: order.trigger)
    case .bracket: self.init(.bracket, stop: order.trigger, takeProfit: order.profit)
    case .none, .stop, .takeProfit, .trail, .trailPercent: return nil
    }
  }
}

extension TicketDraft.Condition {
  /// The label in the interface.
  package var label: Sentence {
    switch self {
    case .none: "At once"
    case .stop: "Stop|order"
    case .takeProfit: "Take profit"
    case .trail: "Trailing"
    case .trailPercent: "Trailing %"
    case .oco: "OCO"
    case .bracket: "Bracket"
    }
  }

  /// The label of the trigger's field.
  package var triggerLabel: Sentence {
    switch self {
    case .none, .stop, .takeProfit: "Trigger"
    case .trail: "Distance"
    case .trailPercent: "Distance in %"
    case .oco, .bracket: "Stop|order"
    }
  }
}

extension TicketDraft.Validity {
  /// The label in the interface.
  package var label: Sentence {
    switch self {
    case .goodTillCancelled: "Until cancelled"
    case .immediateOrCancel: "Immediate or cancel"
    case .fillOrKill: "Fill or kill"
    case .postOnly: "Post-only"
    case .hour: "For an hour"
    case .day: "For a day"
    case .week: "For a week"
    case .postHour: "Post-only, an hour"
    case .postDay: "Post-only, a day"
    case .postWeek: "Post-only, a week"
    }
  }
}

extension OrderTicket.Kind {
  fileprivate init(_ terms: TicketOrder.Terms) {
    switch terms {
    case .market(nil): self = .market
    case .market(let protection?): self = .protectedMarket(protection: protection)
    case .limit(let price, .immediateOrCancel): self = .limit(price: price, .immediateOrCancel)
    case .limit(let price, .fillOrKill): self = .limit(price: price, .fillOrKill)
    case .limit(let price, _): self = .limit(price: price)
    }
  }
}

extension PreviewReply {
  /// Nil for a response to something else.
  package init?(_ response: OrderResponse) {
    switch response {
    case .preview(let figures):
      let rules = figures.rules
      self = .figures(
        fill: figures.fill.flatMap { fill in
          rules.decimal(fill.average).map {
            BestLevel(price: $0, quantity: rules.decimal(fill.quantity))
          }
        },
        worst: rules.hasBook ? figures.fill.map { rules.decimal($0.worst) } : nil,
        fee: figures.fee.flatMap { FixedDecimal(plain: rules.text(amount: $0)) },
        leaves: rules.decimal(figures.leavesQuantity), rests: figures.remainderRests,
        risk: PreviewRisk(
          slippage: figures.risk.slippage.map { FixedDecimal(units: $0, scale: .whole) },
          position: figures.risk.position.map { rules.decimal($0) },
          usual: figures.risk.usual.map { rules.decimal($0) },
          loss: figures.risk.loss.flatMap {
            FixedDecimal(plain: rules.text(amount: WideInteger($0)))
          },
          latency: figures.latencyMilliseconds == 0
            ? nil : FixedDecimal(units: figures.latencyMilliseconds, scale: .whole)))
    case .refused(let refusal):
      self = .refused(
        refusal.message, field: TicketDraft.Field(refusal.field), usual: refusal.usual)
    case .placed, .amended, .cancelled, .cancelledAll, .unconfirmed: return nil
    }
  }
}

extension OrderReply {
  /// Nil for a response to something else.
  package init?(_ response: OrderResponse) {
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
  package init?(_ field: TicketProblem.Field?) {
    switch field {
    case .quantity?: self = .quantity
    case .price?: self = .price
    case .trigger?: self = .trigger
    case .profit?: self = .profit
    case nil: return nil
    }
  }
}

/// The instrument of a ticket, as its screen shows it.
package struct TicketQuote {
  /// Its shown name: "TROAD" or "BTC/USD".
  package let symbol: String
  /// The venue's market, "kraken:BTC/USD"; empty for the exchange's stock.
  package var instrument = ""
  package let currency: String
  package let freshness: Freshness
  /// Why orders can't be placed, as a sentence.
  package var obstacle: Sentence?
  /// Its prices and steps; nil while unknown.
  package var market: TicketMarket?

  package init(_ state: ExchangeState, rules: TradingRules) {
    (symbol, currency, freshness) = (state.symbol.text, state.currency, state.freshness)
    var market = TicketMarket(lot: rules.decimal(rules.lot), tick: rules.decimal(rules.tick))
    market.bid = state.bid.map { BestLevel(price: $0, quantity: state.bidSize.map(rules.decimal)) }
    market.ask = state.ask.map { BestLevel(price: $0, quantity: state.askSize.map(rules.decimal)) }
    market.last = state.price
    market.maximumQuantity = rules.decimal(rules.maximumQuantity)
    market.maximumPrice = rules.decimal(rules.maximumPrice)
    self.market = market
  }

  /// Orders in a venue's market need its live book.
  package init(_ state: MarketTicketState, name: Symbol, at now: ClockReading) {
    (symbol, instrument) = (name.text, state.symbol.text)
    (currency, freshness, obstacle) = (state.currency, state.freshness, state.obstacle)
    if obstacle == nil, freshness.state != .live {
      let words = FreshnessText.phrase(freshness, at: now)
      obstacle =
        freshness.state == .waiting
        ? "no order book has arrived yet." : "the order book is \(words)."
    }
    guard let lot = state.quantityStep, let tick = state.priceStep else { return }
    var market = TicketMarket(lot: lot, tick: tick, revision: state.changes)
    market.bid = state.bid.map { BestLevel(price: $0, quantity: state.bidSize) }
    market.ask = state.ask.map { BestLevel(price: $0, quantity: state.askSize) }
    market.last = state.ask ?? state.bid
    self.market = market
  }
}

extension SentOrder {
  /// The order in the history; nil until it is confirmed.
  package var historyOrder: OrderIdentifier? {
    identifier.flatMap { UInt64($0) }.map { OrderIdentifier(number: $0) }
  }
}
