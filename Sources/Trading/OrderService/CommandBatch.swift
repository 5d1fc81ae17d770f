import MarketModel
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
  /// One for each input, once applied.
  package var decisions: [TradingDecision] = []
  /// The reason if nothing could be stored.
  package var failure: String?

  private let trader: PaperTrader
  private let refusal: String?
  /// The expected market when the next order is handled; used to parse its ticket.
  private var latest: TopOfBook?
  private var isLive: Bool
  private var pending: [(Pending, @Sendable (OrderResponse) -> Void)] = []

  /// Starts from the state before the batch; every order is rejected if `refusal` is set.
  package init(trader: PaperTrader, refusal: String?) {
    self.trader = trader
    self.refusal = refusal
    latest = trader.liveMarket
    isLive = latest != nil
  }

  /// Whether an item belongs to the next batch.
  ///
  /// A preview reflects the moment of its request, so later orders must not take effect before it.
  package func isEnded(before item: CommandQueue.Item) -> Bool {
    guard case .preview? = pending.last?.0 else { return false }
    if case .command(.preview, _) = item { return false }
    return true
  }

  package mutating func add(_ item: CommandQueue.Item) {
    switch item {
    case .tick(let snapshot, let lateAt):
      inputs.append(.market(snapshot, lateAt: lateAt))
      guard snapshot.problem(under: trader.rules) == nil else { return isLive = false }
      (latest, isLive) = (snapshot, true)
    case .freshness(let state, let lateAt):
      inputs.append(.freshness(state, lateAt: lateAt))
      isLive = state == .live
    case .skipped(let problem, _):
      inputs.append(.unusable(problem))
      isLive = false
    case .unreadable:
      inputs.append(.unreadable)
      isLive = false
    case .command(let command, let reply): pending.append((admit(command), reply))
    }
  }

  private mutating func admit(_ command: ClientCommand) -> Pending {
    if let refusal { return .known(.refused(OrderResponse.Refusal(refusal))) }
    switch command {
    case .preview(let ticket): return .preview(ticket)
    case .cancel(let order): return decide(.cancel(order))
    case .cancelAll(let newest): return decide(.cancelAll(through: newest))
    case .amend(let ticket):
      do throws(TicketProblem) {
        let isKnown = trader.history.knowsAmendment(named: ticket.clientIdentifier)
        return decide(
          .amend(
            try TicketParser(rules: trader.rules).request(
              ticket, market: !isKnown && isLive ? latest : nil)))
      } catch {
        return .known(.refused(.init(error, trader.rules, order: ticket.order)))
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
    do throws(TicketProblem) {
      return try TicketParser(rules: trader.rules).request(
        ticket, market: known == nil && isLive ? latest : nil)
    } catch {
      if let known { throw .otherOrder(known.identifier) }
      throw OrderResponse.Refusal(error, trader.rules)
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
    self.init(problem.userMessage(under: rules), field: problem.field, order: order)
  }

  static func otherOrder(_ order: OrderIdentifier) -> OrderResponse.Refusal {
    OrderResponse.Refusal(
      "This order was sent before with other values, as order \(order). Nothing new was ordered.",
      order: order, isNameTaken: true)
  }
}

extension PaperTrader {
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
          problem.userMessage(under: rules), field: problem.field, order: order))
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
        reason.userMessage(under: rules), field: reason.field, order: order))
  }

  fileprivate func response(toPreviewOf ticket: OrderTicket) -> OrderResponse {
    let request: OrderRequest
    do throws(TicketProblem) {
      request = try TicketParser(rules: rules).request(ticket, market: liveMarket)
    } catch {
      return .refused(OrderResponse.Refusal(error, rules))
    }
    switch preview(request) {
    case .shown(let figures): return .preview(figures)
    case .refused(let reason):
      return .refused(
        OrderResponse.Refusal(reason.userMessage(under: rules), field: reason.field))
    case .notLive(let reason):
      let message =
        request.kind.mayRest
        ? UnfilledReason.marketNotLive(reason).text(under: rules)
        : RejectionReason.notLive(reason, request.kind).userMessage(under: rules)
      return .refused(OrderResponse.Refusal(message))
    }
  }
}
