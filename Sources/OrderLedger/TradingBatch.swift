// What gathered while the disk was busy, on its way through one commit: which inputs it makes, and
// who waits for which answer.

import MarketModel
import PaperTrading

/// Inputs that are handled together, and the people who wait for them.
struct TradingBatch {
  /// Someone who waits.
  private enum Waiting {
    /// For the decision on the input at this index.
    case decision(Int)
    /// For figures after all inputs.
    case preview(OrderTicket)
    /// For nothing: the answer was known at once.
    case known(TradingAnswer)
  }

  private(set) var inputs: [TradingInput] = []
  /// One for each input, once they are in effect.
  var decisions: [TradingDecision] = []
  /// Why nothing could be stored.
  var failure: String?

  private let trader: PaperTrader
  private let refusal: String?
  /// The market as it will be when the next order's turn comes, near enough to read a ticket by.
  private var latest: TopOfBook?
  private var isLive: Bool
  private var waiting: [(Waiting, @Sendable (TradingAnswer) -> Void)] = []

  /// Starts from the state before the batch; with a `refusal` every order is refused with it.
  init(trader: PaperTrader, refusal: String?) {
    self.trader = trader
    self.refusal = refusal
    latest = trader.liveMarket
    isLive = latest != nil
  }

  /// Whether an item belongs to the next batch: figures hold for the moment at which they were
  /// asked for, so no order that came later may take effect before them.
  func isEnded(before item: TradingInbox.Item) -> Bool {
    guard case .preview? = waiting.last?.0 else { return false }
    if case .wish(.preview, _) = item { return false }
    return true
  }

  mutating func add(_ item: TradingInbox.Item) {
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
    case .wish(let wish, let reply): waiting.append((admit(wish), reply))
    }
  }

  private mutating func admit(_ wish: TradingWish) -> Waiting {
    if let refusal { return .known(.refused(TradingAnswer.Refusal(refusal))) }
    switch wish {
    case .preview(let ticket): return .preview(ticket)
    case .cancel(let order): return decide(.cancel(order))
    case .cancelAll(let newest): return decide(.cancelAll(through: newest))
    case .place(let ticket):
      do throws(TradingAnswer.Refusal) {
        return decide(.place(try read(ticket)))
      } catch {
        return .known(.refused(error))
      }
    }
  }

  private mutating func decide(_ input: TradingInput) -> Waiting {
    inputs.append(input)
    return .decision(inputs.count - 1)
  }

  /// A slip in a field is answered and not noted in the history; a name that is known is answered
  /// by its order, whatever the market has become since.
  private func read(_ ticket: OrderTicket) throws(TradingAnswer.Refusal) -> OrderRequest {
    let known = trader.history.order(named: ticket.clientIdentifier)
    do throws(TicketProblem) {
      return try TicketParser(rules: trader.rules).request(
        ticket, market: known == nil && isLive ? latest : nil)
    } catch {
      if let known { throw .otherOrder(known.identifier) }
      throw TradingAnswer.Refusal(error.userMessage(under: trader.rules), field: error.field)
    }
  }

  /// Answers everyone, in the order in which they asked; `trader` is the state after the batch.
  func reply(_ trader: PaperTrader) {
    for (waiting, reply) in waiting {
      switch waiting {
      case .known(let answer): reply(answer)
      case .preview(let ticket): reply(trader.answer(toPreviewOf: ticket))
      case .decision(let index):
        if let failure {
          reply(.refused(TradingAnswer.Refusal(failure)))
        } else if decisions.indices.contains(index) {
          reply(trader.answer(to: decisions[index].reply))
        }
      }
    }
  }
}

extension TradingAnswer.Refusal {
  /// The name of the order was used before, for another order.
  static func otherOrder(_ order: OrderIdentifier) -> TradingAnswer.Refusal {
    TradingAnswer.Refusal(
      "This order was sent before with other values, as order \(order). Nothing new was ordered.",
      order: order)
  }
}

extension PaperTrader {
  /// The answer for a person.
  fileprivate func answer(to reply: TradingReply) -> TradingAnswer {
    switch reply {
    case .placed(let order): return .placed(order, isRepeated: false)
    case .rejected(let order, let reason): return refused(order, reason)
    case .repeated(let order, isSameRequest: false): return .refused(.otherOrder(order))
    case .repeated(let order, isSameRequest: true):
      if case .rejected(let reason)? = history.order(order)?.life { return refused(order, reason) }
      return .placed(order, isRepeated: true)
    case .cancelled(let order): return .cancelled(order)
    case .cancelledAll(let count): return .cancelledAll(count: count)
    case .notCancelled(let order, let problem):
      return .refused(TradingAnswer.Refusal(problem.userMessage, order: order))
    case .none, .tickRejected:
      return .refused(TradingAnswer.Refusal("Nothing happened."))
    }
  }

  private func refused(_ order: OrderIdentifier, _ reason: RejectionReason) -> TradingAnswer {
    .refused(
      TradingAnswer.Refusal(
        reason.userMessage(under: rules), field: reason.field, order: order))
  }

  /// What a ticket would do now.
  fileprivate func answer(toPreviewOf ticket: OrderTicket) -> TradingAnswer {
    let request: OrderRequest
    do throws(TicketProblem) {
      request = try TicketParser(rules: rules).request(ticket, market: liveMarket)
    } catch {
      return .refused(
        TradingAnswer.Refusal(error.userMessage(under: rules), field: error.field))
    }
    switch preview(request) {
    case .shown(let figures): return .preview(figures)
    case .refused(let reason):
      return .refused(
        TradingAnswer.Refusal(reason.userMessage(under: rules), field: reason.field))
    case .notLive(let state):
      let message =
        request.kind == .market
        ? RejectionReason.marketNotLive(state).userMessage(under: rules)
        : UnfilledReason.marketNotLive(state).text(under: rules)
      return .refused(TradingAnswer.Refusal(message))
    }
  }
}
