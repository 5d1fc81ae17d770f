import AppState
import Foundation
import MarketModel
import SwiftUI
import VenueCatalogue

/// LT13: all markets of this app, filtered by name while typing.
///
/// Only visible rows are subscribed.
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

  /// The rows that have a screen in this app and match the query.
  private var found: [MarketRow] {
    store.state.rows.filter { $0.place != nil && $0.matches(query) }
  }

  private func count(_ rows: [MarketRow]) -> String {
    rows.count == 1 ? "1 market" : "\(rows.count) markets"
  }
}

extension MarketRow {
  /// The instrument's screen in this app; nil for the watch list's shares, which are in the other
  /// app.
  var place: Route? {
    switch kind {
    case .spot, .token, .contract: .chart(instrument.marketName)
    case .stock: .exchange
    case .product: .product(instrument.symbol)
    case .made: .symbol(instrument.symbol)
    case .share: nil
    }
  }
}
