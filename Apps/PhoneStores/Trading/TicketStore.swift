import AppState
package import Combine
package import Foundation
package import MarketModel
import OrderService
import PaperTrading
package import TicketModel

/// A field to type into; nil for none.
package struct Focused: Equatable {
  package let field: TicketDraft.Field?
  /// Its place among all, since a field may be focused again.
  package let number: Int
}

/// A text for screen readers.
package struct Spoken: Equatable {
  /// With figures marked as in the ticket's titles.
  package let text: Sentence
  /// Its place among all texts, since a text may repeat.
  package let number: Int
}

/// Hosts the order ticket: passes it time, market data and the order service's responses, and
/// performs its effects.
@MainActor package final class TicketStore: ObservableObject {
  /// The ticket, with the facts of its latest action.
  @Published package private(set) var ticket = Ticket(timing: .local)
  /// The latest field to type into; a screen reader's button needs no keyboard.
  @Published package private(set) var focus: Focused?
  /// The latest text for screen readers.
  @Published package private(set) var announcement: Spoken?

  private let trading: TradingStore
  private let feeds: FeedClient
  private let reviews: () -> Bool
  private let market: () -> TicketQuote?
  private var revision: UInt64 = 0
  private var locale = Locale.current
  private var wake: FeedClient.Observation?

  /// `reviews` returns whether an order is reviewed before it is placed; `market` returns the
  /// instrument and its best prices now.
  package init(
    trading: TradingStore, feeds: FeedClient, reviews: @escaping () -> Bool,
    market: @escaping () -> TicketQuote?
  ) {
    (self.trading, self.feeds) = (trading, feeds)
    (self.reviews, self.market) = (reviews, market)
  }

  /// The ticket with the facts of this moment, as drawn.
  package var shown: Ticket {
    var shown = ticket
    let now = feeds.now()
    _ = shown.perform(.know(facts(at: now)), at: now)
    return shown
  }

  /// Whether the ticket has been shown long enough for a press to be meant for it.
  package var isSettled: Bool { ticket.isSettled(at: feeds.now().monotonic) }

  // MARK: User actions

  package var side: Side {
    get { ticket.draft.side }
    set { perform(.side(newValue)) }
  }

  package var pricing: TicketDraft.Pricing {
    get { ticket.draft.pricing }
    set { perform(.pricing(newValue)) }
  }

  package var condition: TicketDraft.Condition {
    get { ticket.draft.condition }
    set { perform(.condition(newValue)) }
  }

  package var validity: TicketDraft.Validity {
    get { ticket.draft.validity }
    set { perform(.validity(newValue)) }
  }

  package var isReduceOnly: Bool {
    get { ticket.draft.isReduceOnly }
    set { perform(.reduceOnly(newValue)) }
  }

  package var quantity: String {
    get { ticket.draft.quantity }
    set { perform(.type(.quantity, newValue)) }
  }

  package var price: String {
    get { ticket.draft.price }
    set { perform(.type(.price, newValue)) }
  }

  package var trigger: String {
    get { ticket.draft.trigger }
    set { perform(.type(.trigger, newValue)) }
  }

  package var profit: String {
    get { ticket.draft.profit }
    set { perform(.type(.profit, newValue)) }
  }

  /// The worst price of a market order.
  package var protection: String {
    get { ticket.draft.protection }
    set { perform(.type(.protection, newValue)) }
  }

  /// The typed order as text; its numbers are as typed.
  package var unfinished: String {
    let words = [
      side == .buy ? "buy" : "sell", pricing == .limit ? "limit" : "market", condition.label.key,
      validity.label.key, isReduceOnly ? "reduce" : "",
    ]
    return (words + [quantity, price, trigger, profit, protection]).joined(separator: "\n")
  }

  /// Fills an empty ticket with a stored order, with all of it or nothing.
  package func restore(_ unfinished: String) {
    let parts = unfinished.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 10, quantity.isEmpty, price.isEmpty,
      let condition = TicketDraft.Condition.allCases.first(where: { $0.label.key == parts[2] }),
      let validity = TicketDraft.Validity.allCases.first(where: { $0.label.key == parts[3] })
    else { return }
    side = parts[0] == "sell" ? .sell : .buy
    pricing = parts[1] == "limit" ? .limit : .market
    (self.condition, self.validity, isReduceOnly) = (condition, validity, parts[4] == "reduce")
    (quantity, price, trigger, profit) = (parts[5], parts[6], parts[7], parts[8])
    if !parts[9].isEmpty { protection = parts[9] }
  }

  /// From the form onwards.
  package func goOn() { press(.goOn(name: "phone-" + UUID().uuidString)) }

  package func press(_ action: TicketAction) { perform(action, pressedAt: feeds.now().monotonic) }

  /// Any other action.
  package func perform(_ action: TicketAction) { perform(action, pressedAt: nil) }

  /// Applies a change of the market or of the orders.
  package func refresh() {
    revision += 1
    let now = feeds.now()
    take(.know(facts(at: now)), at: now, pressedAt: nil)
  }

  package func read(_ locale: Locale) {
    self.locale = locale
    perform(.read(NumberSigns(locale, currency: market()?.currency ?? "")))
  }

  // MARK: Hosting

  private func perform(_ action: TicketAction, pressedAt: MonotonicTime?) {
    let now = feeds.now()
    take(.know(facts(at: now)), at: now, pressedAt: nil)
    take(action, at: now, pressedAt: pressedAt)
  }

  private func take(_ action: TicketAction, at now: ClockReading, pressedAt: MonotonicTime?) {
    for effect in ticket.perform(action, at: now, pressedAt: pressedAt) {
      switch effect {
      case .ask(let number, let order): ask(number, order)
      case .place(let order, _): place(order)
      case .announce(let text):
        announcement = Spoken(text: text, number: (announcement?.number ?? 0) + 1)
      case .focus(let target):
        let field: TicketDraft.Field? = if case .field(let field) = target { field } else { nil }
        focus = Focused(field: field, number: (focus?.number ?? 0) + 1)
      // The history outlives the app; a focused field scrolls into view.
      case .keep, .reveal: break
      }
    }
    wake = ticket.wakesAt.map { time in
      feeds.schedule(max(1, time.milliseconds(since: now.monotonic))) { [weak self] in
        self?.perform(.timer)
      }
    }
  }

  private func ask(_ number: UInt32, _ order: TicketOrder) {
    guard let asked = OrderTicket(order) else { return }
    Task {
      let response = await trading.response(to: .preview(asked))
      if let reply = PreviewReply(response) {
        perform(.previewed(number, reply))
      }
    }
  }

  private func place(_ order: TicketOrder) {
    guard let sent = OrderTicket(order) else { return perform(.notSent(name: order.name)) }
    Task {
      let response = await trading.response(to: .place(sent))
      if let reply = OrderReply(response) { perform(.answered(name: order.name, reply)) }
    }
  }

  private func facts(at now: ClockReading) -> TicketFacts {
    var facts = TicketFacts()
    facts.orders =
      !trading.orders.isLoaded
      ? .reading : trading.orders.failure.map { .failed($0) } ?? .ready
    facts.reviews = reviews()
    guard let quote = market() else { return facts }
    (facts.symbol, facts.instrument) = (quote.symbol, quote.instrument)
    if case .ready = facts.orders, let obstacle = quote.obstacle {
      facts.orders = .failed(obstacle)
    }
    facts.isLive = quote.freshness.state == .live
    facts.freshness = locale.text(FreshnessText.phrase(quote.freshness, at: now))
    facts.market = quote.market
    facts.market?.revision &+= revision
    return facts
  }
}
