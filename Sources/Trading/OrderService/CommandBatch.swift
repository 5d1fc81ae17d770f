package import MarketModel
import OrderLedger
package import PaperTrading

/// Inputs that are stored in one commit, with the commands awaiting a response.
///
/// They accumulate while the disk is busy.
package struct CommandBatch {
  private enum Pending {
    case decision(Int)
    case preview(OrderTicket)
    case known(OrderResponse)
  }

  package private(set) var inputs: [TradingInput] = []
  /// Whether it can't wait for the next pass: a command, or market data of the exchange's stock.
  private(set) var isUrgent = false
  /// One for each input, once applied.
  package var decisions: [TradingDecision] = []
  /// The reason if nothing could be stored.
  package var failure: Sentence?

  private var trader: PaperTrader
  private let refusal: Sentence?
  private let now: Timestamp
  /// The stock's expected market when the next order is handled; used to parse its ticket.
  private var latest: TopOfBook?
  private var isLive: Bool
  /// The venues' markets with data in this batch.
  private var moved: Set<Symbol> = []
  private var pending: [(Pending, @Sendable (OrderResponse) -> Void)] = []

  /// Starts from the state before the batch; every order is rejected if `refusal` is set.
  package init(trader: PaperTrader, refusal: Sentence?, now: Timestamp) {
    self.trader = trader
    self.now = now
    self.refusal = refusal
    latest = trader.liveMarket
    isLive = latest != nil
  }

  /// Whether an item belongs to the next batch.
  ///
  /// A preview reflects the moment of its request, so later orders must not take effect before it.
  /// An order in a venue's market is parsed by what its data up to then lead to.
  package func isEnded(before item: CommandQueue.Item) -> Bool {
    if case .command(let command, _) = item, let symbol = symbol(of: command),
      moved.contains(symbol)
    {
      return true
    }
    guard case .preview? = pending.last?.0 else { return false }
    if case .command(.preview, _) = item { return false }
    return true
  }

  private func symbol(of command: ClientCommand) -> Symbol? {
    switch command {
    case .place(let ticket), .preview(let ticket): ticket.instrument
    case .amend(let ticket): trader.history.order(ticket.order)?.request.symbol
    case .cancel, .cancelAll: nil
    }
  }

  /// Forgets the state before the batch, which can then change without being copied; nothing can be
  /// added any more.
  package mutating func close() { trader = PaperTrader(rules: trader.rules) }

  package mutating func add(_ item: CommandQueue.Item) {
    switch item {
    case .feed(let input, let symbol):
      inputs.append(.feed(input, of: symbol))
      guard symbol == trader.rules.symbol else {
        moved.insert(symbol)
        return
      }
      isUrgent = true
      follow(input)
    case .command(let command, let reply):
      isUrgent = true
      pending.append((admit(command), reply))
    }
  }

  private mutating func follow(_ input: MarketInput) {
    switch input {
    case .tick(let tick, _):
      guard tick.problem(under: trader.rules) == nil else { return isLive = false }
      (latest, isLive) = (tick, true)
    case .freshness(let state, _): isLive = state == .live
    case .unusable, .unreadable: isLive = false
    case .book, .trade, .missedTrades, .time, .ended: break
    }
  }

  /// The parser of an instrument's tickets, and its market if it is live.
  private func parser(
    of symbol: Symbol?
  ) throws(OrderResponse.Refusal) -> (TicketParser, TopOfBook?) {
    guard let symbol, symbol != trader.rules.symbol else {
      return (TicketParser(rules: trader.rules), isLive ? latest : nil)
    }
    return try trader.parser(of: symbol)
  }

  private mutating func admit(_ command: ClientCommand) -> Pending {
    if let refusal { return .known(.refused(OrderResponse.Refusal(refusal))) }
    switch command {
    case .preview(let ticket): return .preview(ticket)
    case .cancel(let order): return decide(.cancel(order))
    case .cancelAll(let newest): return decide(.cancelAll(through: newest))
    case .amend(let ticket):
      do throws(OrderResponse.Refusal) {
        let (parser, market) = try parser(of: symbol(of: command))
        let isKnown = trader.history.knowsAmendment(named: ticket.clientIdentifier)
        do throws(TicketProblem) {
          let order = trader.history.order(ticket.order)?.request
          let last = order.flatMap { trader.market(of: $0.symbol)?.lastTrade }
          return decide(
            .amend(
              try parser.request(
                ticket, of: order, market: isKnown ? nil : market, last: isKnown ? nil : last)))
        } catch {
          throw .init(error, parser.rules, order: ticket.order)
        }
      } catch {
        return .known(.refused(error))
      }
    case .place(let ticket):
      do throws(OrderResponse.Refusal) {
        return decide(.place(try read(ticket)))
      } catch {
        return .known(.refused(error))
      }
    }
  }

  private mutating func decide(_ input: TradingInput) -> Pending {
    inputs.append(input)
    return .decision(inputs.count - 1)
  }

  /// A field error gets a response but no place in the history.
  ///
  /// A client identifier already in use gets its order, regardless of the current market.
  private func read(_ ticket: OrderTicket) throws(OrderResponse.Refusal) -> OrderRequest {
    let known = trader.history.order(named: ticket.clientIdentifier)
    let (parser, market) = try parser(of: ticket.instrument)
    do throws(TicketProblem) {
      guard known == nil else { return try parser.request(ticket, market: nil) }
      let request = try parser.request(
        ticket, market: market, last: trader.lastTrade(of: ticket))
      let live =
        request.symbol == trader.rules.symbol ? market : trader.market(of: request.symbol)?.live
      if let broken = trader.brokenTerms(of: request, live: live, at: now) {
        throw TicketProblem.broken(broken)
      }
      return request
    } catch {
      if let known { throw .otherOrder(known.identifier) }
      throw OrderResponse.Refusal(error, parser.rules)
    }
  }

  /// Responds to every command in order; `trader` is the state after the batch.
  package func respond(_ trader: PaperTrader) {
    for (pending, reply) in pending {
      switch pending {
      case .known(let response): reply(response)
      case .preview(let ticket): reply(trader.response(toPreviewOf: ticket))
      case .decision(let index):
        if let failure {
          reply(.refused(OrderResponse.Refusal(failure)))
        } else if decisions.indices.contains(index) {
          reply(trader.response(to: decisions[index].reply))
        }
      }
    }
  }
}

extension OrderResponse.Refusal {
  init(_ problem: TicketProblem, _ rules: TradingRules, order: OrderIdentifier? = nil) {
    self.init(
      problem.userMessage(under: rules), field: problem.field, order: order,
      isFinal: !problem.mayPass)
  }

  static func otherOrder(_ order: OrderIdentifier) -> OrderResponse.Refusal {
    OrderResponse.Refusal(
      "This order was sent before with other values, as order \(order). Nothing new was ordered.",
      order: order, isNameTaken: true)
  }
}

extension PaperTrader {
  /// The parser of a venue's market and the market if it is live; throws before its first book.
  fileprivate func parser(
    of symbol: Symbol
  ) throws(OrderResponse.Refusal) -> (TicketParser, TopOfBook?) {
    guard let rules = rules(of: symbol) else {
      throw OrderResponse.Refusal("No prices of \("{\(symbol)}") have arrived yet.")
    }
    return (TicketParser(rules: rules), market(of: symbol)?.reference)
  }

  fileprivate func lastTrade(of ticket: OrderTicket) -> Price? {
    ticket.instrument.flatMap { market(of: $0)?.lastTrade }
  }

  private func rules(of order: OrderIdentifier) -> TradingRules {
    history.order(order).flatMap { rules(of: $0.request.symbol) } ?? rules
  }

  fileprivate func response(to reply: TradingReply) -> OrderResponse {
    switch reply {
    case .placed(let order): return .placed(order, isRepeated: false)
    case .rejected(let order, let reason): return refused(order, reason)
    case .repeated(let order, isSameRequest: false): return .refused(.otherOrder(order))
    case .repeated(let order, isSameRequest: true):
      if case .rejected(let reason)? = history.order(order)?.life { return refused(order, reason) }
      return .placed(order, isRepeated: true)
    case .amended(let order, let isRepeated): return .amended(order, isRepeated: isRepeated)
    case .notAmended(let order, let problem):
      return .refused(
        OrderResponse.Refusal(
          problem.userMessage(under: rules(of: order)), field: problem.field, order: order))
    case .cancelled(let order): return .cancelled(order)
    case .cancelledAll(let count): return .cancelledAll(count: count)
    case .notCancelled(let order, let problem):
      return .refused(OrderResponse.Refusal(problem.userMessage, order: order))
    case .none, .tickRejected:
      return .refused(OrderResponse.Refusal("Nothing happened."))
    }
  }

  private func refused(_ order: OrderIdentifier, _ reason: RejectionReason) -> OrderResponse {
    .refused(
      OrderResponse.Refusal(
        reason.userMessage(under: rules(of: order)), field: reason.field, order: order))
  }

  fileprivate func response(toPreviewOf ticket: OrderTicket) -> OrderResponse {
    let (rules, request): (TradingRules, OrderRequest)
    do throws(OrderResponse.Refusal) {
      let (parser, market) = try parser(of: ticket.instrument ?? self.rules.symbol)
      rules = parser.rules
      do throws(TicketProblem) {
        request = try parser.request(ticket, market: market, last: lastTrade(of: ticket))
      } catch {
        throw OrderResponse.Refusal(error, parser.rules)
      }
    } catch {
      return .refused(error)
    }
    switch preview(request) {
    case .shown(let figures): return .preview(figures)
    case .refused(let reason):
      return .refused(
        OrderResponse.Refusal(reason.userMessage(under: rules), field: reason.field))
    case .notLive(let reason):
      return .refused(
        OrderResponse.Refusal(
          UnfilledReason.marketNotLive(reason).text(under: rules),
          usual: usualQuantity(exceededBy: request).map { rules.decimal($0) }))
    }
  }
}
