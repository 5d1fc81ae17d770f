import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import VenueCatalogue

/// LT13: all markets of this app or the favourites, in a chosen order, filtered by name while
/// typing.
///
/// Only visible rows are subscribed.
struct MarketListView: View {
  @ObservedObject private var router: Router
  @StateObject private var store: ScreenStore<MarketListScreen>
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var zone
  @State private var query = ""
  @State private var showsFavourites = false
  private let feeds: FeedClient
  private let shown: Symbol?

  /// Marks the market that is shown beside the list.
  init(router: Router, feeds: FeedClient, closed: Set<Venue>, shown: Symbol? = nil) {
    (self.router, self.feeds, self.shown) = (router, feeds, shown)
    _store = StateObject(wrappedValue: ScreenStore(MarketListScreen(closed: closed), feeds: feeds))
  }

  var body: some View {
    let rows = found
    List {
      Section {
        ForEach(rows) { row in
          HStack(spacing: 0) {
            FavouriteButton(market: row.instrument)
            Button {
              router.go(to: row.place ?? .notFound)
            } label: {
              MarketRowView(row: row, feeds: feeds)
            }
            .ownLook()
            .accessibilityAddTraits(isShown(row) ? .isSelected : [])
          }
          .listRowBackground(isShown(row) ? Color.accentColor.opacity(0.15) : nil)
        }
      } header: {
        VStack(alignment: .leading, spacing: 4) {
          Picker("Markets", selection: $showsFavourites) {
            Text("All").tag(false)
            Text("Favourites").tag(true)
          }
          .pickerStyle(.segmented)
          TwoEnds {
            FreshnessLine(freshness: store.state.freshness, now: store.now)
          } trailing: {
            Text(locale.text(summary(rows))).font(.footnote).foregroundStyle(.secondary)
              .monospacedDigit()
          }
          NoticeView(notice: store.notice) { store.follow($0) }
        }
      }
      .textCase(nil)
      if rows.isEmpty, showsFavourites, query.isEmpty {
        ContentUnavailableView {
          Label("No favourites", systemImage: "star")
        } description: {
          Text("Tap the star of a market to add it.")
        }
      } else if rows.isEmpty {
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
    .onChange(of: chosen, initial: true) { store.send(.show(chosen)) }
    .navigationTitle("All markets")
    .smallTitle()
    .toolbar {
      ToolbarItem(placement: .barEnd) {
        Menu {
          ForEach(MarketOrder.allCases, id: \.self) { order in
            Button {
              store.send(.order(order))
            } label: {
              if order == store.state.order {
                Label(locale.text(order.words), systemImage: "checkmark")
              } else {
                Text(locale.text(order.words))
              }
            }
          }
        } label: {
          Label("Sort markets", systemImage: "arrow.up.arrow.down")
        }
      }
    }
  }

  private func isShown(_ row: MarketRow) -> Bool {
    row.instrument.marketName == shown && row.place != nil
  }

  private var chosen: Set<InstrumentKey>? { showsFavourites ? model.favourites : nil }

  /// The rows that have a screen in this app and match the query.
  private var found: [MarketRow] {
    store.state.rows.filter { $0.place != nil && $0.matches(query) }
  }

  /// "12 markets · 24 h change at 14:07:00".
  private func summary(_ rows: [MarketRow]) -> Sentence {
    let count: Sentence = rows.count == 1 ? "1 market" : "\(rows.count) markets"
    return store.state.rankedAt.map { time in
      "\(count) · 24 h change at \(model.numbers.time(time, zone: zone))"
    } ?? count
  }
}

/// Adds a market to the favourites or removes it.
struct FavouriteButton: View {
  let market: InstrumentKey
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale

  var body: some View {
    Button {
      model.toggleFavourite(market)
    } label: {
      Image(systemName: isFavourite ? "star.fill" : "star")
        .frame(minWidth: 44, minHeight: 44)
        .contentShape(Rectangle())
    }
    .ownLook()
    .accessibilityLabel(locale.text(words))
  }

  private var isFavourite: Bool { model.favourites.contains(market) }

  private var words: Sentence {
    isFavourite
      ? "Remove \(market.symbol) from favourites" : "Add \(market.symbol) to favourites"
  }
}

extension MarketOrder {
  fileprivate var words: Sentence {
    switch self {
    case .listed: "By venue"
    case .name: "By name"
    case .gainers: "Gainers, 24 h"
    case .losers: "Losers, 24 h"
    }
  }
}

extension MarketRow {
  /// The instrument's screen in this app; nil for the watch list's shares, which are in the other
  /// app.
  var place: Route? {
    switch kind {
    case .spot, .token, .contract, .perpetual: .chart(instrument.marketName)
    case .stock: .exchange
    case .product: .product(instrument.symbol)
    case .made: .symbol(instrument.symbol)
    case .share: nil
    }
  }
}
