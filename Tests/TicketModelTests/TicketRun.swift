// A ticket in use, with a manual clock and its recorded requests.

import MarketModel
import TicketModel

struct TicketRun {
  var ticket: Ticket
  var facts = TicketFacts()
  var milliseconds: Int64 = 1_000_000
  /// The wall clock's change since the start.
  var wallOffset: Int64 = 0
  var effects: [TicketEffect] = []
  private var names = 0

  /// A live market of 45.01 × 17 to 45.10 × 60; orders are accepted.
  init(timing: TicketTiming = .link, signs: NumberSigns = .plain) {
    ticket = Ticket(timing: timing)
    facts.orders = .ready
    facts.isLive = true
    facts.freshness = "live"
    var market = TicketMarket(lot: decimal("1"), tick: decimal("0.01"))
    market.bid = offer("45.01", "17")
    market.ask = offer("45.10", "60")
    market.last = decimal("45.05")
    facts.market = market
    perform(.read(signs))
    perform(.know(facts))
  }

  var now: ClockReading {
    ClockReading(
      monotonic: MonotonicTime(milliseconds: milliseconds),
      wall: Timestamp(milliseconds: 1_700_000_000_000 + milliseconds + wallOffset))
  }

  @discardableResult mutating func perform(
    _ action: TicketAction, pressedAt: Int64? = nil
  ) -> [TicketEffect] {
    let new = ticket.perform(
      action, at: now, pressedAt: pressedAt.map { MonotonicTime(milliseconds: $0) })
    effects += new
    return new
  }

  /// Advances time and fires every timer of the ticket when it is due.
  mutating func pass(_ span: Int64) {
    let end = MonotonicTime(milliseconds: milliseconds + span)
    var rounds = 0
    while let next = ticket.wakesAt, next <= end, rounds < 10_000 {
      rounds += 1
      milliseconds = max(milliseconds, next.nanoseconds / 1_000_000)
      perform(.timer)
    }
    milliseconds = end.nanoseconds / 1_000_000
  }

  mutating func know(_ change: (inout TicketFacts) -> Void) {
    change(&facts)
    perform(.know(facts))
  }

  var questions: [(number: UInt32, order: TicketOrder)] {
    effects.compactMap { if case .ask(let number, let order) = $0 { (number, order) } else { nil } }
  }

  var placed: [TicketOrder] {
    effects.compactMap { if case .place(let order, _) = $0 { order } else { nil } }
  }

  /// Whether each of these may have been sent before.
  var placedAgain: [Bool] {
    effects.compactMap { if case .place(_, let again) = $0 { again } else { nil } }
  }

  /// Types an order; with a price it is a limit order.
  mutating func fill(_ quantity: String, _ price: String? = nil) {
    perform(.pricing(price == nil ? .market : .limit))
    perform(.type(.quantity, quantity))
    if let price { perform(.type(.price, price)) }
  }

  mutating func answer(_ reply: PreviewReply) {
    pass(200)
    guard let number = questions.last?.number else { return }
    perform(.previewed(number, reply))
  }

  /// Responds that all of it would be filled at the best price.
  mutating func foresee(_ quantity: String = "5") {
    answer(.figures(fill: offer("45.10", quantity), leaves: decimal("0"), rests: false))
  }

  mutating func goOn() {
    names += 1
    perform(.goOn(name: "order-\(names)"))
  }

  mutating func place() {
    fill("5")
    foresee()
    goOn()
    pass(400)
    perform(.place)
  }
}

func decimal(_ text: String) -> FixedDecimal {
  guard let value = FixedDecimal(plain: text) else { preconditionFailure("no number: \(text)") }
  return value
}

func offer(_ price: String, _ quantity: String) -> BestLevel {
  BestLevel(price: decimal(price), quantity: decimal(quantity))
}

extension PreviewReply {
  var isFigures: Bool { if case .figures = self { true } else { false } }
}

extension [TicketEffect] {
  var focus: [String] {
    compactMap {
      switch $0 {
      case .focus(.button): "button"
      case .focus(.field(.quantity)): "quantity"
      case .focus(.field(.price)): "price"
      default: nil
      }
    }
  }

  /// The order kept over a restart, by its latest effect; empty for none.
  var kept: String? {
    compactMap { if case .keep(let order, _) = $0 { order?.name ?? "" } else { nil } }.last
  }

  var announced: [Sentence] {
    compactMap { if case .announce(let text) = $0 { text } else { nil } }
  }
}
