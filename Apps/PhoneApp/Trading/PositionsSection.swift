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
            FactRow(name: words.market(position.symbol), value: quantity(position))
            Text(details(position)).font(.footnote).foregroundStyle(.secondary).monospacedDigit()
            if let note = position.note { Text(note.description).font(.footnote) }
          }
        }
        if market == nil {
          ForEach(trading.positions.totals.keys.sorted(), id: \.self) { currency in
            FactRow(
              name: "Equity in \(currency)",
              value: amount(trading.positions.totals[currency]?.equity, currency))
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
    return all.filter { !$0.line.isEmpty && (market == nil || $0.symbol == market) }
  }

  private var words: OrderWords {
    OrderWords(numbers: model.numbers, locale: locale, zone: timeZone)
  }

  /// The certain quantity, and the possible ones: "0.4 (0.4 to 0.75 possible)".
  private func quantity(_ position: PositionsState) -> String {
    guard let certain = position.quantity else { return "–" }
    let (low, high) = trading.orders.bounds(of: certain, in: position.symbol)
    guard low < certain || high > certain else { return words.number(certain) }
    return "\(words.number(certain)) (\(words.number(low)) to \(words.number(high)) possible)"
  }

  /// "Average 45.10 · value $4,510.00 · unrealised −$3.00 · realised $0.00".
  private func details(_ position: PositionsState) -> String {
    func money(_ digits: String?) -> String { amount(digits, position.currency) }
    let (cost, value) = (position.average, position.value)
    let open =
      position.quantity?.units == 0
      ? []
      : ["value \(money(value))", "unrealised \(money(cost.unrealised))"]
    let average = cost.cost.map { ["average \(words.number($0))"] } ?? []
    return (average + open + ["realised \(money(cost.realised))"]).joined(separator: " · ")
  }

  private func amount(_ digits: String?, _ currency: String) -> String {
    guard let value = digits.flatMap({ FixedDecimal(plain: $0) }) else { return "unknown" }
    let decimals = Scale(clamping: 2)
    let shown = value.rounded(to: decimals) ?? value
    return words.number(shown.exactly(at: decimals) ?? shown) + " " + currency
  }
}

extension OrdersState {
  /// A position's bounds, if what is only possible had been sold, or bought.
  func bounds(
    of certain: FixedDecimal, in symbol: Symbol
  ) -> (low: FixedDecimal, high: FixedDecimal) {
    func bound(_ side: Side) -> FixedDecimal {
      var sum = AmountSum()
      func add(_ value: FixedDecimal, _ sign: Int64) {
        sum.add(WideInteger(value.units, times: sign), digits: Int(value.scale.digits))
      }
      add(certain, 1)
      for row in rows + openRows.filter({ open in !rows.contains { $0.id == open.id } })
      where row.symbol == symbol && row.side == side {
        add(row.possible, side == .buy ? 1 : -1)
        add(row.filled, side == .buy ? -1 : 1)
      }
      return sum.text.flatMap { FixedDecimal(plain: $0) } ?? certain
    }
    return (bound(.sell), bound(.buy))
  }
}
