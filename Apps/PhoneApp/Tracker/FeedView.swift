import AppState
import Foundation
import MarketModel
import SwiftUI

/// PT1–PT3: the price tracker's list of stocks.
///
/// It draws the state and sends Start and Stop.
struct FeedView: View {
  @ObservedObject var store: ScreenStore<FeedScreen>
  @EnvironmentObject private var model: AppModel

  var body: some View {
    List {
      Section {
        ForEach(store.state.order, id: \.self) { symbol in
          if let row = store.state.rows[symbol] {
            NavigationLink(value: Route.symbol(symbol)) {
              FeedRowView(
                symbol: symbol, row: row, currency: store.state.currency,
                decimals: store.state.decimals, freshness: store.state.freshness.state,
                flash: store.flashes[.price(symbol.text)])
            }
          }
        }
      } header: {
        VStack(alignment: .leading, spacing: 4) {
          FreshnessLine(freshness: store.state.freshness, now: store.now)
          NoticeView(notice: store.notice, follow: follow)
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
          ConnectionBadge(word: store.state.connection)
        }
        .buttonStyle(.plain)
        .accessibilityHint("Shows all connections")
      }
      ToolbarItem(placement: .barEnd) {
        Button(store.state.running ? "Stop" : "Start") {
          store.send(store.state.running ? .stop : .start)
        }
      }
    }
  }

  /// A remedy starts the feed the way its own button does.
  private func follow(_ remedy: ConnectionNotice.Remedy) {
    if remedy == .start { store.send(.start) } else { store.follow(remedy) }
  }
}

/// A stock of the feed; it takes only its own values, so that a price redraws one row.
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
