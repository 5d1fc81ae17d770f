// PT1–PT3: the price tracker's list of stocks. It draws the state and sends Start and Stop.

import AppState
import Foundation
import MarketModel
import SwiftUI

/// The list of stocks.
struct FeedView: View {
  @StateObject private var store: ScreenStore<FeedScreen>
  @EnvironmentObject private var model: AppModel

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
    // Never closed while the tab lives: the details lie on top and share its connection (PT6).
    .onAppear { store.open() }
  }

  /// The feed starts as its own button starts it.
  private func follow(_ remedy: ConnectionNotice.Remedy) {
    if remedy == .start { store.send(.start) } else { store.follow(remedy) }
  }
}
