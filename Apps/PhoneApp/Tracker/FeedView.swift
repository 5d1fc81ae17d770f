import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI

/// PT1–PT3: the price tracker's list of stocks.
///
/// It draws the state and sends Start and Stop.
struct FeedView: View {
  @ObservedObject var store: FeedStore
  @EnvironmentObject private var model: AppModel

  var body: some View {
    List {
      Section {
        ForEach(store.frame.order, id: \.self) { symbol in
          if let row = store.rows[symbol] {
            NavigationLink(value: Route.symbol(symbol)) {
              FeedRowView(
                symbol: symbol, store: row, currency: store.currency, decimals: store.decimals,
                freshness: store.frame.freshness.state)
            }
          }
        }
      } header: {
        VStack(alignment: .leading, spacing: 4) {
          FreshnessLine(freshness: store.frame.freshness, now: store.frame.now)
          NoticeView(notice: store.frame.notice) { store.follow($0) }
        }
      }
      .textCase(nil)
    }
    .listStyle(.plain)
    .navigationTitle("Price tracker")
    .toolbar {
      ToolbarItem(placement: .barStart) {
        Button {
          model.router.tab = .settings
        } label: {
          ConnectionBadge(word: store.frame.connection)
        }
        .ownLook()
        .accessibilityHint("Shows all connections")
      }
      ToolbarItem(placement: .barEnd) {
        Button(store.frame.running ? "Stop" : "Start") {
          store.send(store.frame.running ? .stop : .start)
        }
      }
    }
  }
}

/// A stock of the feed.
struct FeedRowView: View {
  let symbol: Symbol
  @ObservedObject var store: FeedRowStore
  let currency: String
  let decimals: Scale
  let freshness: FreshnessState
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
        .flash(store.flash)
    }
    .accessibilityElement(children: .ignore)
    .accessibilityLabel(sentence)
  }

  private var row: FeedRow { store.row }

  private var price: String {
    model.numbers.price(
      row.price, currency: currency, decimals: decimals, locale: locale)
  }

  private var sentence: String {
    let spoken = PriceLabel.spoken(
      price, isKnown: row.price != nil, row.direction, freshness)
    return locale.text("\(symbol), \(row.name), \(spoken)")
  }
}
