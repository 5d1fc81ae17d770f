// The order ticket: filled in, reviewed, sent. What was typed is the person's alone; the order
// service says what would happen, what is wrong, and what came of it. One review is one order,
// however often it is tapped.

import AppState
import Combine
import Foundation
import MarketModel
import OrderService
import PaperTrading

/// The ticket.
@MainActor final class TicketStore: ObservableObject {
  /// Market or limit.
  enum Kind: Hashable { case market, limit }

  /// Where the ticket stands.
  enum Phase: Equatable {
    case form
    case review(TicketReview)
    case sent(SentTicket)
  }

  /// After a review began its button waits: a double tap is no word on what was not read yet.
  static let settleMilliseconds: Int64 = 350

  @Published var side = Side.buy { didSet { edited() } }
  @Published var kind = Kind.market { didSet { edited() } }
  @Published var quantity = "" { didSet { edited() } }
  @Published var price = "" { didSet { edited() } }
  @Published private(set) var phase = Phase.form
  /// What the order would do now; nil while that is not known.
  @Published private(set) var preview: OrderResponse?
  /// The slip of the latest try, at its field, until something is changed.
  @Published private(set) var refusal: OrderResponse.Refusal?
  /// Whether the button waits for the order service to judge the fields.
  @Published private(set) var isChecking = false
  /// Whether a review can be answered by now.
  @Published private(set) var isSettled = false

  private let trading: TradingStore
  private let feeds: FeedClient
  /// Whether there is a review before an order is placed.
  var reviews: () -> Bool
  /// The best offers now.
  var market: () -> ExchangeState?
  private var edition = 0
  private var isAsking = false
  private var mustAsk = false
  private var settling: FeedClient.Observation?

  init(
    trading: TradingStore, feeds: FeedClient, reviews: @escaping () -> Bool,
    market: @escaping () -> ExchangeState?
  ) {
    (self.trading, self.feeds) = (trading, feeds)
    (self.reviews, self.market) = (reviews, market)
  }

  // MARK: Filling in

  /// The order as it stands, under a name; nil while something is not filled in.
  private func ticket(_ name: String) -> OrderTicket? {
    let isWhole = !quantity.isEmpty && (kind == .market || !price.isEmpty)
    guard isWhole, let name = ClientOrderIdentifier(name) else { return nil }
    return OrderTicket(
      clientIdentifier: name, side: side, kind: kind == .market ? .market : .limit(price: price),
      quantity: quantity)
  }

  private func edited() {
    edition += 1
    preview = nil
    refusal = nil
    isChecking = false
    ask()
  }

  /// The market or the orders changed: what would happen has to be asked anew.
  ///
  /// The figures stay until there are newer ones.
  func refresh() {
    if phase == .form { ask() }
  }

  /// One question at a time; what changes meanwhile is asked next.
  private func ask() {
    guard let ticket = ticket("preview") else { return }
    guard !isAsking else {
      mustAsk = true
      return
    }
    (isAsking, mustAsk) = (true, false)
    let asked = edition
    Task {
      let answer = await trading.response(to: .preview(ticket))
      isAsking = false
      if asked == edition { take(answer) }
      if mustAsk { ask() }
    }
  }

  private func take(_ answer: OrderResponse) {
    preview = answer
    guard isChecking else { return }
    isChecking = false
    decide(answer)
  }

  /// Steps the quantity by lots.
  func stepQuantity(up: Bool) {
    quantity =
      TicketNumbers.stepped(
        quantity, by: trading.rules.decimal(trading.rules.lot), up: up,
        start: trading.rules.decimal(trading.rules.lot),
        maximum: trading.rules.decimal(trading.rules.maximumQuantity)) ?? quantity
  }

  /// Steps the limit by ticks, from the best offer on.
  func stepPrice(up: Bool) {
    let offers = market()
    price =
      TicketNumbers.stepped(
        price, by: trading.rules.decimal(trading.rules.tick), up: up,
        start: (side == .buy ? offers?.ask : offers?.bid) ?? offers?.price,
        maximum: trading.rules.decimal(trading.rules.maximumPrice)) ?? price
  }

  /// Puts an offer's price into the ticket.
  func take(price: FixedDecimal) {
    if case .sent = phase { return }
    phase = .form
    kind = .limit
    self.price = price.description
  }

  // MARK: Going on

  /// From the form to the review, once the order service accepts the fields.
  func goOn() {
    guard phase == .form, !isChecking else { return }
    if quantity.isEmpty {
      refusal = OrderResponse.Refusal("Enter a quantity.", field: .quantity)
    } else if kind == .limit, price.isEmpty {
      refusal = OrderResponse.Refusal("Enter a price.", field: .price)
    } else if let preview {
      decide(preview)
    } else {
      isChecking = true
      ask()
    }
  }

  private func decide(_ answer: OrderResponse) {
    if case .refused(let refusal) = answer {
      self.refusal = refusal
      // Without live prices a limit order can wait; that is all that may be refused and reviewed.
      guard refusal.field == nil, kind == .limit else { return }
    }
    guard let ticket = ticket("phone-" + UUID().uuidString) else { return }
    refusal = nil
    let review = TicketReview(
      ticket: ticket, answer: answer, best: best(on: ticket.side), at: feeds.now())
    guard reviews() else { return send(review.ticket) }
    phase = .review(review)
    isSettled = false
    settling = feeds.schedule(TicketStore.settleMilliseconds) { [weak self] in
      self?.isSettled = true
    }
  }

  /// Back to the form; what was typed is still there.
  func back() {
    guard case .review = phase else { return }
    phase = .form
    refresh()
  }

  /// Places what was reviewed.
  func place() {
    guard case .review(let review) = phase, isSettled else { return }
    send(review.ticket)
  }

  private func send(_ ticket: OrderTicket) {
    phase = .sent(SentTicket(ticket: ticket, answer: nil))
    Task {
      let answer = await trading.response(to: .place(ticket))
      guard case .sent(let sent) = phase, sent.ticket == ticket else { return }
      phase = .sent(SentTicket(ticket: ticket, answer: answer))
    }
  }

  /// Back to the form with what was refused, the sentence at its field.
  func edit() {
    guard case .sent(let sent) = phase, case .refused(let refusal)? = sent.answer else { return }
    phase = .form
    edited()
    if refusal.field != nil { self.refusal = refusal }
  }

  /// An empty ticket for the next order.
  func next() {
    guard case .sent(let sent) = phase, sent.answer != nil else { return }
    phase = .form
    (quantity, price) = ("", "")
  }

  /// The offer that an order on a side would take.
  func best(on side: Side) -> TicketReview.Best? {
    guard let market = market(), let price = side == .buy ? market.ask : market.bid else {
      return nil
    }
    return TicketReview.Best(price: price, quantity: side == .buy ? market.askSize : market.bidSize)
  }
}

/// What was reviewed, pinned.
struct TicketReview: Equatable {
  /// The best opposite offer at a moment.
  struct Best: Equatable {
    let price: FixedDecimal
    let quantity: Quantity?
  }

  let ticket: OrderTicket
  let answer: OrderResponse
  let best: Best?
  let at: ClockReading
}

/// What was sent, and the order service's response; nil until it has come.
struct SentTicket: Equatable {
  let ticket: OrderTicket
  let answer: OrderResponse?

  /// The order that the answer is about.
  var order: OrderIdentifier? {
    switch answer {
    case .placed(let order, _)?: order
    case .refused(let refusal)?: refusal.order
    case .cancelled?, .cancelledAll?, .preview?, nil: nil
    }
  }
}
