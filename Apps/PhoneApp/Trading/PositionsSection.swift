import AppState
import Foundation
import MarketModel
import PaperTrading
import SwiftUI
import TicketModel
import VenueCatalogue

/// The positions of all markets, or of one, and what they add up to in each currency.
struct PositionsSection: View {
  @ObservedObject var trading: TradingStore
  /// Nil for all.
  let market: Symbol?
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var timeZone

  var body: some View {
    if !shown.isEmpty {
      Section("Positions") {
        ForEach(shown, id: \.symbol) { position in
          VStack(alignment: .leading, spacing: 2) {
            FactRow(
              name: Sentence(verbatim: words.market(position.symbol)), value: quantity(position))
            Text(details(position)).font(.footnote).foregroundStyle(.secondary).monospacedDigit()
            if let note = position.note { Text(locale.text(note)).font(.footnote) }
          }
        }
        if market == nil {
          ForEach(trading.positions.totals.keys.sorted(), id: \.self) { currency in
            FactRow(
              name: "Equity in \(currency)",
              value: words.amount(trading.positions.totals[currency]?.equity, currency))
          }
          Picker("Total in", selection: $model.totalCurrency) {
            Text("Each currency").tag(String?.none)
            ForEach(ConversionState.choices(for: trading.positions.sums.keys), id: \.self) {
              Text(verbatim: $0).tag(String?.some($0))
            }
          }
          .pickerStyle(.menu)
          if let screen = model.totalCurrency.flatMap({ ConversionScreen(currency: $0) }) {
            ConvertedTotalView(
              screen: screen, sums: trading.positions.sums, words: words, feeds: model.feeds
            )
            .id(screen.state.currency)
          }
        }
      }
      .textCase(nil)
    }
  }

  /// Those that have had fills.
  private var shown: [PositionsState] {
    let all =
      [trading.positions] + trading.positions.markets.sorted { $0.key < $1.key }.map(\.value)
    return all.filter {
      (!$0.line.isEmpty || $0.range != nil) && (market == nil || $0.symbol == market)
    }
  }

  private var words: OrderWords {
    OrderWords(numbers: model.numbers, locale: locale, zone: timeZone)
  }

  /// The certain quantity, and the possible ones: "0.4 (0.4 to 0.75 possible)".
  private func quantity(_ position: PositionsState) -> String {
    guard let certain = position.quantity else { return "–" }
    guard let range = position.range else { return words.number(certain) }
    let (low, high) = (words.number(range.low), words.number(range.high))
    return locale.text("\(words.number(certain)) (\(low) to \(high) possible)")
  }

  /// "Average 45.10 · value $4,510.00 · unrealised −$3.00 · realised $0.00".
  private func details(_ position: PositionsState) -> String {
    func money(_ digits: String?) -> String { words.amount(digits, position.currency) }
    let (cost, value) = (position.average, position.value)
    let open: [Sentence] =
      position.quantity?.units == 0
      ? []
      : ["value \(money(value))", "unrealised \(money(cost.unrealised))"]
    let average: [Sentence] = cost.cost.map { ["average \(words.number($0))"] } ?? []
    let range: [Sentence] =
      position.range.flatMap { range in
        range.lowEquity.map { ["P&L \(money($0)) to \(money(range.highEquity)) possible"] }
      } ?? []
    let realised: [Sentence] = ["realised \(money(cost.realised))"]
    return locale.text(Sentence(joining: average + open + realised + range, by: " · "))
  }
}
