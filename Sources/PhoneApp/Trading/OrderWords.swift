// Orders in words and figures, the same in ticket, receipts, open orders and history.

import AppState
import Foundation
import MarketModel
import OrderService
import PaperTrading

/// Writes orders for a reader.
@MainActor struct OrderWords {
  let numbers: NumberTexts
  let rules: TradingRules
  let locale: Locale
  let zone: TimeZone

  /// A number with its own digits.
  func number(_ value: FixedDecimal) -> String { numbers.amount(value, locale: locale) }

  /// A price of the exchange.
  func price(_ price: Price) -> String { number(rules.decimal(price)) }

  /// A count of shares.
  func quantity(_ quantity: Quantity) -> String { number(rules.decimal(quantity)) }

  /// When something happened, to the second, with its date.
  func moment(_ time: Timestamp) -> String {
    numbers.time(time, .moment, zone: zone, locale: locale)
  }

  /// "Buy 100 at market", "Sell 40 at 45.10 or better".
  func title(_ row: OrderRowState) -> String {
    let at = row.limit.map { "at \(number($0)) or better" } ?? "at market"
    return "\(row.side.word) \(number(row.quantity)) \(at)"
  }

  /// The same of a ticket, in the digits that were typed.
  func title(_ ticket: OrderTicket) -> String {
    let at =
      switch ticket.kind {
      case .market: "at market"
      case .limit(let price): "at \(typed(price)) or better"
      }
    return "\(ticket.side.word) \(typed(ticket.quantity)) \(at)"
  }

  private func typed(_ text: String) -> String { FixedDecimal(text).map(number) ?? text }

  /// "60 of 100".
  func filled(_ row: OrderRowState) -> String {
    "\(number(row.filled)) of \(number(row.quantity))"
  }

  /// One sentence for screen readers.
  func sentence(_ row: OrderRowState) -> String {
    let filled = row.average.map { ", \(number(row.filled)) filled at \(number($0)) on average" }
    return "Order \(row.id): \(title(row)), \(row.status.rawValue.lowercased())\(filled ?? ""), "
      + "placed \(moment(row.placedAt))"
  }

  /// How much worse or better than the best price on arrival.
  func slippage(_ slippage: FixedDecimal) -> String {
    guard slippage.units != 0, slippage.units != .min else { return "none" }
    let size = number(FixedDecimal(units: abs(slippage.units), scale: slippage.scale))
    return "\(size) \(slippage.units > 0 ? "worse" : "better") than at arrival"
  }

  /// The unfilled remainder of a ticket and why; nil when there is none.
  ///
  /// `offered` is the best opposite size: earlier orders may have taken some of this tick.
  func remainder(
    _ figures: TicketPreview.Figures, of ticket: OrderTicket, offered: Quantity?
  ) -> String? {
    guard figures.leavesQuantity > .zero else { return nil }
    let remainder = (figures.fill == nil ? "All " : "") + quantity(figures.leavesQuantity)
    if figures.remainderRests, case .limit(let price) = ticket.kind {
      return "\(remainder) would wait at \(typed(price)) or better."
    }
    return "\(remainder) would be cancelled: \(whyNoMore(figures, offered))."
  }

  private func whyNoMore(_ figures: TicketPreview.Figures, _ offered: Quantity?) -> String {
    let had = figures.fill?.quantity ?? .zero
    guard let offered, offered > .zero else { return "nothing is offered" }
    if had >= offered { return "only \(quantity(offered)) offered" }
    let left = had > .zero ? "left only \(quantity(had))" : "took all"
    return "earlier orders \(left) of the \(quantity(offered)) offered now"
  }
}

extension Side {
  /// The word on buttons and in titles.
  var word: String { self == .buy ? "Buy" : "Sell" }
}
