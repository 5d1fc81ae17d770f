// PT1, PT7: one stock of the feed: symbol, price, where it went, and the flash of a change.

import AppState
import Foundation
import MarketModel
import SwiftUI

/// A stock of the feed.
struct FeedRowView: View {
  let symbol: Symbol
  let row: FeedRow
  let feed: FeedState
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
      PriceLabel(text: price, direction: row.direction, freshness: feed.freshness.state)
        .padding(.horizontal, 6)
        .flash(flash)
    }
    .accessibilityElement(children: .ignore)
    .accessibilityLabel(sentence)
  }

  private var price: String {
    model.numbers.price(
      row.price, currency: feed.currency, decimals: feed.decimals, locale: locale)
  }

  private var sentence: String {
    let spoken = PriceLabel.spoken(
      price, isKnown: row.price != nil, row.direction, feed.freshness.state)
    return "\(symbol.text), \(row.name), \(spoken)"
  }
}
