import AppState
import Foundation
import MarketModel
import PaperTrading
import PhoneStores
import TicketModel
import VenueCatalogue

/// Formats orders, for ticket, receipts, open orders and history alike.
@MainActor struct OrderWords {
  let numbers: NumberTexts
  let locale: Locale
  let zone: TimeZone

  func number(_ value: FixedDecimal) -> String { numbers.amount(value, locale: locale) }

  /// "4,510.00 USD", or "unknown".
  func amount(_ digits: String?, _ currency: String, decimals: Scale = Scale(clamping: 2)) -> String
  {
    guard let value = digits.flatMap({ FixedDecimal(plain: $0) }) else {
      return locale.text("unknown")
    }
    let shown = value.rounded(to: decimals) ?? value
    return number(shown.exactly(at: decimals) ?? shown) + " " + currency
  }

  /// To the second, with its date.
  func moment(_ time: Timestamp) -> String {
    numbers.time(time, .moment, zone: zone, locale: locale)
  }

  /// "Buy 100 TROAD at market", "Sell 40 TROAD at 45.10 or better",
  /// "Sell 40 TROAD Stop 40 → market".
  func title(_ row: OrderRowState) -> String {
    let (amount, isBuy) = ("\(number(row.quantity)) \(market(row.symbol))", row.side == .buy)
    if let trigger = row.trigger {
      let order: Sentence = isBuy ? "Buy \(amount)" : "Sell \(amount)"
      let limit: Sentence = row.limit.map { "\(number($0))" } ?? "market"
      return locale.text("\(order) \(kind(trigger)) \(number(trigger.price)) → \(limit)")
    }
    guard let limit = row.limit.map(number) else {
      return locale.text(isBuy ? "Buy \(amount) at market" : "Sell \(amount) at market")
    }
    return locale.text(
      isBuy ? "Buy \(amount) at \(limit) or better" : "Sell \(amount) at \(limit) or better")
  }

  /// "FILLED".
  func status(_ row: OrderRowState) -> String {
    locale.text(Sentence(key: row.shownStatus.rawValue))
  }

  func kind(_ trigger: OrderTriggerState) -> Sentence {
    if trigger.trail != nil || trigger.trailPercent != nil { return "Trailing stop" }
    return trigger.kind == .stop ? "Stop|order" : "Take profit"
  }

  /// What triggered an order, or when that is unknown; nil while it waits.
  func triggered(_ trigger: OrderTriggerState) -> String? {
    guard let time = trigger.activatedAt else {
      return trigger.missed.map {
        locale.text("unknown from \(moment($0.from)) to \(moment($0.to))")
      }
    }
    var text: Sentence = "\(moment(time))"
    if let met = trigger.met { text = "\(text) at \(number(met))" }
    if let gap = trigger.gap { text = "\(text), \(number(gap)) beyond" }
    return locale.text(trigger.isLate ? "\(text), late: trades were missed" : text)
  }

  /// "post-only, reduce-only, until Nov 28, 2026, 14:32:07"; nil without any.
  func terms(_ terms: OrderTerms) -> String? {
    var words: [Sentence] = []
    if terms.isPostOnly { words.append("post-only") }
    if terms.isReduceOnly { words.append("reduce-only") }
    if let expiry = terms.expiry { words.append("until \(moment(expiry))") }
    return words.isEmpty ? nil : locale.text(Sentence(joining: words, by: ", "))
  }

  /// "TROAD", "Kraken BTC/USD".
  func market(_ symbol: Symbol) -> String {
    InstrumentKey(text: symbol.text).map { "\($0.venue.displayName) \($0.symbol)" } ?? symbol.text
  }

  /// The order service's sentence about an order in a market.
  func sentence(_ text: Sentence, in symbol: Symbol) -> String {
    locale.text(text).replacingOccurrences(of: symbol.text, with: market(symbol))
  }

  /// A sentence of the ticket in the user's locale: `{45.10}` and `{$45.10}` are figures, `{ago}`
  /// is an age.
  func written(_ sentence: Sentence, ago: String = "") -> String {
    written(locale.text(sentence), ago: ago)
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
    return locale.text("\(number(row.filled) + possible) of \(number(row.quantity))")
  }

  func sentence(_ row: OrderRowState) -> String {
    var words: [Sentence] = [
      "Order \(row.id): \(title(row))", Sentence(verbatim: status(row).lowercased(with: locale)),
    ]
    if let average = row.average {
      words.append("\(number(row.filled)) filled at \(number(average)) on average")
    }
    words.append("placed \(moment(row.placedAt))")
    return locale.text(Sentence(joining: words, by: ", "))
  }

  /// How much worse or better than the best price on arrival.
  func slippage(_ slippage: FixedDecimal) -> String {
    guard slippage.units != 0, slippage.units != .min else { return locale.text("none") }
    let size = number(FixedDecimal(units: abs(slippage.units), scale: slippage.scale))
    return locale.text(
      slippage.units > 0 ? "\(size) worse than at arrival" : "\(size) better than at arrival")
  }
}
