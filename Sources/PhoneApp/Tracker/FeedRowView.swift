// PT1, PT7: one stock of the feed: symbol, price, where it went, and the flash of a change.

import AppState
import Foundation
import MarketModel
import SwiftUI

/// A stock of the feed; it takes its own values only, so that a price redraws one row.
struct FeedRowView: View {
  let symbol: Symbol
  let row: FeedRow
  let currency: String
  let decimals: Scale
  let freshness: FreshnessState
  let flash: Direction?
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale

  var body: some View {
    TwoEnds {
      VStack(alignment: .leading) {
        Text(symbol.text).font(.headline)
        Text(row.name).font(.caption).foregroundStyle(.secondary)
      }
    } trailing: {
      PriceLabel(text: price, direction: row.direction, freshness: freshness)
        .padding(.horizontal, 6)
        .flash(flash)
    }
    .accessibilityElement(children: .ignore)
    .accessibilityLabel(sentence)
  }

  private var price: String {
    model.numbers.price(
      row.price, currency: currency, decimals: decimals, locale: locale)
  }

  private var sentence: String {
    let spoken = PriceLabel.spoken(
      price, isKnown: row.price != nil, row.direction, freshness)
    return "\(symbol.text), \(row.name), \(spoken)"
  }
}
