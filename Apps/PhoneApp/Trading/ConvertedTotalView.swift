import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import VenueCatalogue

/// All positions in one currency: their sum, the markets that convert it, and what is left out.
struct ConvertedTotalView: View {
  private let sums: [String: CurrencySum]
  private let words: OrderWords
  @StateObject private var store: ScreenStore<ConversionScreen>

  init(
    screen: ConversionScreen, sums: [String: CurrencySum], words: OrderWords, feeds: FeedClient
  ) {
    (self.sums, self.words) = (sums, words)
    _store = StateObject(wrappedValue: ScreenStore(screen, feeds: feeds))
  }

  var body: some View {
    VStack(alignment: .leading, spacing: 2) {
      FactRow(name: "Total in \(state.currency)", value: amount(state.total?.equity))
      if let total = state.total {
        Text(details(total)).monospacedDigit().foregroundStyle(.secondary)
      }
      ForEach(state.parts.filter { !$0.legs.isEmpty }, id: \.currency) { part in
        Text(route(part)).monospacedDigit().foregroundStyle(.secondary)
      }
      if let missing { Text(missing) }
    }
    .font(.footnote)
    .whileInSight(
      open: {
        store.send(.show(sums))
        store.open()
      }, close: store.close
    )
    .onChange(of: sums) { store.send(.show(sums)) }
  }

  private var state: ConversionState { store.state }

  /// "unrealised −3.00 EUR · realised 0.00 EUR · P&L −5.00 EUR to 2.00 EUR possible".
  private func details(_ total: ConvertedTotal) -> String {
    let range: [Sentence] =
      total.lowEquity == nil
      ? [] : ["P&L \(amount(total.lowEquity)) to \(amount(total.highEquity)) possible"]
    return words.locale.text(
      Sentence(
        joining: [
          "unrealised \(amount(total.average.unrealised))",
          "realised \(amount(total.average.realised))",
        ] + range, by: " · "))
  }

  /// "USD → EUR by Kraken EUR/USD at 1.0832, live".
  private func route(_ part: ConversionPart) -> String {
    let steps: [Sentence] = part.legs.map { leg in
      let market = words.market(leg.step.market.orderSymbol ?? leg.step.market.symbol)
      let price = leg.price.map(words.number) ?? "–"
      let (from, to) = (leg.step.from, leg.step.to)
      let age = FreshnessText.phrase(leg.freshness, at: store.now)
      return "\(from) → \(to) by \(market) at \(price), \(age)"
    }
    return words.locale.text(Sentence(joining: steps, by: "; "))
  }

  /// "Not in the total: XYZ (no market converts it)."; nil if all is in it.
  private var missing: String? {
    let left = state.parts.compactMap { part in
      part.standing.reason.map { "\(part.currency) (\(words.locale.text($0)))" }
    }
    return left.isEmpty
      ? nil : words.locale.text("Not in the total: \(left.joined(separator: ", ")).")
  }

  private func amount(_ digits: String?) -> String {
    words.amount(digits, state.currency, decimals: state.decimals)
  }
}
