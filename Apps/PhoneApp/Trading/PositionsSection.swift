import AppState
import Foundation
import MarketModel
import PaperTrading
import PhoneStores
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
            if position.exit != nil {
              CloseButton(trading: trading, position: position, words: words)
            }
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
        + (cost.middle.map { ["\(money($0)) at mid"] } ?? [])
    let average: [Sentence] = cost.cost.map { ["average \(words.number($0))"] } ?? []
    let range: [Sentence] =
      position.range.flatMap { range in
        range.lowEquity.map { ["P&L \(money($0)) to \(money(range.highEquity)) possible"] }
      } ?? []
    let realised: [Sentence] = ["realised \(money(cost.realised))"]
    return locale.text(Sentence(joining: average + open + realised + range, by: " · "))
  }
}

/// Closes a position at the market, after a confirmation with the levels that it would take.
private struct CloseButton: View {
  /// The most levels that are listed.
  private static let maximumLevels = 5

  @ObservedObject var trading: TradingStore
  let position: PositionsState
  let words: OrderWords
  @State private var isAsked = false

  var body: some View {
    Button("Close position", role: .destructive) { isAsked = true }
      .buttonStyle(.borderless)
      .font(.footnote)
      .disabled(trading.orders.failure != nil)
      .accessibilityLabel(
        words.locale.text("Close the position in \(words.market(position.symbol))")
      )
      .confirmationDialog(words.locale.text(question), isPresented: $isAsked) {
        Button(role: .destructive) {
          trading.close(position)
        } label: {
          Text(words.locale.text(command))
        }
        Button("Don’t close", role: .cancel) {}
      } message: {
        Text(words.locale.text(outcome))
      }
  }

  private var question: Sentence {
    "Close \(position.quantity.map { words.number($0) } ?? "") \(words.market(position.symbol))?"
  }

  private var command: Sentence {
    let size = words.number(position.size)
    return position.isShort ? "Buy \(size) at market" : "Sell \(size) at market"
  }

  private var outcome: Sentence {
    let levels = position.exit?.levels ?? []
    let listed = levels.prefix(Self.maximumLevels).map {
      "\(words.number($0.price)) × \(words.number($0.quantity))"
    }
    let all = (listed + (levels.count > listed.count ? ["…"] : [])).map { Sentence(verbatim: $0) }
    func money(_ digits: String?) -> String { words.amount(digits, position.currency) }
    let price = position.out.map { words.number($0.price) } ?? "–"
    let (fee, profit) = (money(position.exit?.fee), money(position.average.unrealised))
    return Sentence(
      joining: all + ["average \(price) · fee \(fee) · P&L \(profit) before the fee"], by: "\n")
  }
}
