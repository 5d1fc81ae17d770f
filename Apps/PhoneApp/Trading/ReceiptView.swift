import AppState
import Foundation
import MarketModel
import PaperTrading
import PhoneStores
import SwiftUI
import TicketModel

/// LT5: an order's receipt: what was ordered, what came of it, at which prices, and why.
struct ReceiptView: View {
  @ObservedObject var trading: TradingStore
  let order: OrderIdentifier
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var timeZone
  @Environment(\.colorScheme) private var colorScheme

  var body: some View {
    List {
      if let row {
        Section {
          Text(words.title(row))
            .font(.headline)
            .foregroundStyle(Palette(colorScheme).color(of: row.side == .buy ? .up : .down))
          Text(words.status(row)).font(.footnote).bold()
          if let reason = row.reason { Text(words.sentence(reason, in: row.symbol)) }
          if row.isOpen { CancelButton(trading: trading, row: row, title: words.title(row)) }
        }
        Section {
          ForEach(facts(row), id: \.name) { FactRow(name: $0.name, value: $0.value) }
        }
        if !row.levels.isEmpty {
          Section("Fills by price") {
            ForEach(row.levels.indices, id: \.self) { index in
              Text(locale.text(amount(row.levels[index]))).monospacedDigit()
            }
          }
          Section("Fills") {
            ForEach(row.fills.indices, id: \.self) { index in
              let fill = row.fills[index]
              FactRow(
                name: Sentence(verbatim: words.moment(fill.time)), value: text(fill, of: row))
            }
          }
        }
      } else if let unlisted = trading.orders.unlisted {
        Text(locale.text(unlisted))
      }
    }
    .rowsInGroups()
    .textCase(nil)
    .navigationTitle(locale.text("Order \(order)"))
    .smallTitle()
  }

  private var row: OrderRowState? {
    (trading.orders.rows + trading.orders.openRows).first { $0.id == order }
  }

  private var words: OrderWords {
    OrderWords(numbers: model.numbers, locale: locale, zone: timeZone)
  }

  private func amount(_ level: OrderLevelState) -> Sentence {
    "\(words.number(level.quantity)) at \(words.number(level.price))"
  }

  private func text(_ fill: OrderFillState, of row: OrderRowState) -> String {
    let (quantity, price) = (words.number(fill.quantity), words.number(fill.price))
    let fee = fee(fill.fee, row)
    let what: Sentence =
      fee.map {
        fill.isMaker
          ? "\(quantity) at \(price), \($0) fee as maker"
          : "\(quantity) at \(price), \($0) fee as taker"
      } ?? "\(quantity) at \(price)"
    return "\(locale.text(what)) · \(words.sentence(fill.evidence, in: row.symbol))"
  }

  private func fee(_ digits: String?, _ row: OrderRowState) -> String? {
    digits.flatMap { FixedDecimal(plain: $0) }.map {
      "\(words.number($0)) \(row.currency ?? "")"
    }
  }

  private func facts(_ row: OrderRowState) -> [(name: Sentence, value: String)] {
    let trail =
      row.trigger?.trail.map(words.number)
      ?? row.trigger?.trailPercent.map { words.number($0) + "%" }
    let optional: [(Sentence, String?)] = [
      ("Filled", words.filled(row)),
      ("Open", row.open.units > 0 ? words.number(row.open) : nil),
      ("Cancelled", row.cancelled.units > 0 ? words.number(row.cancelled) : nil),
      ("Fee", fee(row.fees, row)),
      ("Average", row.average.map(words.number)),
      ("Limit", row.limit.map(words.number)),
      (row.trigger.map(words.kind) ?? "Trigger", row.trigger.map { words.number($0.price) }),
      ("Trails by", trail),
      ("Triggered", row.trigger.flatMap(words.triggered)),
      (row.side == .buy ? "Max price" : "Min price", row.protection.map(words.number)),
      ("Linked order", row.link?.primary.description),
      ("Terms", words.terms(row.terms)),
      ("Amended", row.amendments > 0 ? "\(row.amendments)×" : nil),
      ("Latency", row.latency.map { "\($0.milliseconds) ms" }),
      ("Price when sent", row.latency?.submitted.map(words.number)),
      ("Price at arrival", row.latency?.arrived.map(words.number)),
      ("Slippage", row.slippage.map(words.slippage)),
      (
        row.isOpen ? "Would fill now" : "Would have filled",
        row.wouldHaveFilled.map { locale.text(amount($0)) }
      ),
      ("Placed", words.moment(row.placedAt)),
      ("Last change", row.changedAt == row.placedAt ? nil : words.moment(row.changedAt)),
      ("Number", row.id.description),
    ]
    return optional.compactMap { name, value in value.map { (name, $0) } }
  }
}
