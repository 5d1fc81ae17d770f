// PT1–PT3: the price tracker's list of stocks. It draws the state and sends Start and Stop.

import AppState
import Foundation
import MarketModel
import SwiftUI

/// The list of stocks.
struct FeedView: View {
  @StateObject private var store: ScreenStore<FeedScreen>

  init(feeds: FeedClient) {
    _store = StateObject(wrappedValue: ScreenStore(FeedScreen(), feeds: feeds))
  }

  var body: some View {
    List {
      Section {
        ForEach(store.state.order, id: \.self) { symbol in
          if let row = store.state.rows[symbol] {
            NavigationLink(value: Route.symbol(symbol)) {
              FeedRowView(
                symbol: symbol, row: row, feed: store.state,
                flash: store.flashes[.price(symbol.text)])
            }
          }
        }
      } header: {
        FreshnessLine(freshness: store.state.freshness, now: store.now)
      }
    }
    .listStyle(.plain)
    .navigationTitle("Prices")
    .toolbar {
      ToolbarItem(placement: .barStart) { ConnectionBadge(word: store.state.connection) }
      ToolbarItem(placement: .barEnd) {
        Button(store.state.running ? "Stop" : "Start") {
          store.send(store.state.running ? .stop : .start)
        }
      }
    }
    // Never closed while the tab lives: the details lie on top and share its connection (PT6).
    .onAppear { store.open() }
  }
}
