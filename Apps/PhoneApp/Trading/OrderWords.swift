import AppState
import Foundation
import MarketModel
import PaperTrading
import TicketModel
import VenueCatalogue

/// Formats orders, for ticket, receipts, open orders and history alike.
@MainActor struct OrderWords {
  let numbers: NumberTexts
  let locale: Locale
  let zone: TimeZone

  func number(_ value: FixedDecimal) -> String { numbers.amount(value, locale: locale) }

  /// To the second, with its date.
  func moment(_ time: Timestamp) -> String {
    numbers.time(time, .moment, zone: zone, locale: locale)
  }

  /// "Buy 100 TROAD at market", "Sell 40 TROAD at 45.10 or better",
  /// "Sell 40 TROAD Stop 40 → market".
  func title(_ row: OrderRowState) -> String {
    let at =
      row.trigger.map { trigger in
        "\(kind(trigger)) \(number(trigger.price)) → \(row.limit.map(number) ?? "market")"
      } ?? row.limit.map { "at \(number($0)) or better" } ?? "at market"
    return "\(row.side.word) \(number(row.quantity)) \(market(row.symbol)) \(at)"
  }

  private func kind(_ trigger: OrderTriggerState) -> String {
    if trigger.trail != nil || trigger.trailPercent != nil { return "Trailing stop" }
    return trigger.kind == .stop ? "Stop" : "Take profit"
  }

  /// What triggered an order, or when that is unknown; nil while it waits.
  func triggered(_ trigger: OrderTriggerState) -> String? {
    guard let time = trigger.activatedAt else {
      return trigger.missed.map { "unknown from \(moment($0.from)) to \(moment($0.to))" }
    }
    let price = trigger.met.map { " at \(number($0))" } ?? ""
    let gap = trigger.gap.map { ", \(number($0)) beyond" } ?? ""
    return moment(time) + price + gap + (trigger.isLate ? ", late: trades were missed" : "")
  }

  /// "post-only, reduce-only, until Nov 28, 2026, 14:32:07"; nil without any.
  func terms(_ terms: OrderTerms) -> String? {
    let words = [
      terms.isPostOnly ? "post-only" : nil, terms.isReduceOnly ? "reduce-only" : nil,
      terms.expiry.map { "until \(moment($0))" },
    ].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  /// "TROAD", "Kraken BTC/USD".
  func market(_ symbol: Symbol) -> String {
    InstrumentKey(text: symbol.text).map { "\($0.venue.displayName) \($0.symbol)" } ?? symbol.text
  }

  /// The order service's sentence about an order in a market.
  func sentence(_ text: Sentence, in symbol: Symbol) -> String {
    text.description.replacingOccurrences(of: symbol.text, with: market(symbol))
  }

  /// A sentence of the ticket in the user's locale: `{45.10}` and `{$45.10}` are figures, `{ago}`
  /// is an age.
  func written(_ sentence: Sentence, ago: String = "") -> String {
    written(sentence.description, ago: ago)
  }

  /// Marked figures in the user's locale.
  func written(_ text: String, ago: String = "") -> String {
    var parts = text.split(separator: "{", omittingEmptySubsequences: false)[...]
    var text = String(parts.popFirst() ?? "")
    for part in parts {
      let pieces = part.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
      let figure = FixedDecimal(plain: String(pieces[0].drop { $0 == "$" }))
      switch (pieces.count, pieces[0], figure) {
      case (2, "ago", _): text += ago + pieces[1]
      case (2, _, let figure?): text += number(figure) + pieces[1]
      default: text += "{" + part
      }
    }
    return text
  }

  /// "60 of 100"; "0.4–0.75 of 1" where only 0.4 are certain.
  func filled(_ row: OrderRowState) -> String {
    let possible = row.possible > row.filled ? "–" + number(row.possible) : ""
    return "\(number(row.filled))\(possible) of \(number(row.quantity))"
  }

  func sentence(_ row: OrderRowState) -> String {
    let filled = row.average.map { ", \(number(row.filled)) filled at \(number($0)) on average" }
    return
      "Order \(row.id): \(title(row)), \(row.shownStatus.rawValue.lowercased())\(filled ?? ""), "
      + "placed \(moment(row.placedAt))"
  }

  /// How much worse or better than the best price on arrival.
  func slippage(_ slippage: FixedDecimal) -> String {
    guard slippage.units != 0, slippage.units != .min else { return "none" }
    let size = number(FixedDecimal(units: abs(slippage.units), scale: slippage.scale))
    return "\(size) \(slippage.units > 0 ? "worse" : "better") than at arrival"
  }
}
