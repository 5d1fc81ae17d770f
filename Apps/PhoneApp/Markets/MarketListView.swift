// LT13 on the phone: every market that can be read here in one list, found by its name as it is
// typed. Only the rows in sight are subscribed.

import AppState
import Foundation
import MarketModel
import SwiftUI
import VenueProtocols

/// The list of all markets of this app.
struct MarketListView: View {
  @ObservedObject private var router: Router
  @StateObject private var store: ScreenStore<MarketListScreen>
  @State private var query = ""
  private let feeds: FeedClient

  init(router: Router, feeds: FeedClient, closed: Set<Venue>) {
    self.router = router
    self.feeds = feeds
    _store = StateObject(wrappedValue: ScreenStore(MarketListScreen(closed: closed), feeds: feeds))
  }

  var body: some View {
    let rows = found
    List {
      Section {
        ForEach(rows) { row in
          Button {
            router.go(to: row.place ?? .notFound)
          } label: {
            MarketRowView(row: row, feeds: feeds)
          }
          .buttonStyle(.plain)
        }
      } header: {
        VStack(alignment: .leading, spacing: 4) {
          TwoEnds {
            FreshnessLine(freshness: store.state.freshness, now: store.now)
          } trailing: {
            Text(count(rows)).font(.footnote).foregroundStyle(.secondary).monospacedDigit()
          }
          NoticeView(notice: store.notice) { store.follow($0) }
        }
      }
      .textCase(nil)
      if rows.isEmpty {
        ContentUnavailableView {
          Label("No market found", systemImage: "magnifyingglass")
        } description: {
          Text("No name, symbol or venue here begins with these words.")
        }
      }
    }
    .listStyle(.plain)
    .whileInSight(open: store.open, close: store.close)
    .searchable(text: $query, prompt: "Name, symbol or venue")
    .navigationTitle("All markets")
    .smallTitle()
  }

  /// The rows that have a screen in this app and that the query finds.
  private var found: [MarketRow] {
    store.state.rows.filter { $0.place != nil && $0.matches(query) }
  }

  private func count(_ rows: [MarketRow]) -> String {
    rows.count == 1 ? "1 market" : "\(rows.count) markets"
  }
}

extension MarketRow {
  /// Where the instrument is shown in this app; nil for the watch list's shares, which the other
  /// app has.
  var place: Route? {
    switch kind {
    case .spot, .token, .contract: .chart(instrument.symbol)
    case .stock: .exchange
    case .product: .product(instrument.symbol)
    case .made: .symbol(instrument.symbol)
    case .share: nil
    }
  }
}
