import AppState
import Foundation
import MarketModel
import PaperTrading
import PhoneStores
import SwiftUI
import TicketModel

/// EX6, LT5: the order history, newest first, by status, each order with its receipt; and whether
/// the ledger is intact.
struct OrdersView: View {
  @ObservedObject var trading: TradingStore
  @StateObject private var export: ExportStore
  /// Nil for all.
  @State private var market: Symbol?
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var timeZone

  init(trading: TradingStore, feeds: FeedClient) {
    self.trading = trading
    _export = StateObject(wrappedValue: ExportStore(trading: trading, now: feeds.now))
  }

  var body: some View {
    VStack(spacing: 0) {
      Picker("Status", selection: $trading.filter) {
        ForEach(OrdersFilter.allCases, id: \.self) { filter in
          Text(locale.text("\(filter.words) (\(state.count(of: filter)))")).tag(filter)
        }
      }
      .pickerStyle(.menu)
      if markets.count > 1 {
        Picker("Market", selection: $market) {
          Text("All markets").tag(Symbol?.none)
          ForEach(markets, id: \.self) { market in
            Text(words.market(market)).tag(Optional(market))
          }
        }
        .pickerStyle(.menu)
      }
      if let failure = state.failure {
        StorageFailureView(failure: failure) { trading.retry() }.padding(.horizontal)
      }
      if let failure = export.failure {
        Text(locale.text(failure)).font(.footnote)
      }
      List {
        Section {
          ForEach(shown, id: \.id) { row in
            NavigationLink(value: OrdersPlace.order(row.id)) {
              OrderRowView(row: row, words: words)
            }
            .accessibilityLabel(words.sentence(row))
          }
          if shown.isEmpty { Text(locale.text(nothing)).foregroundStyle(.secondary) }
        } footer: {
          Text(locale.text(footer)).font(.footnote)
        }
      }
      .listStyle(.plain)
    }
    .navigationTitle("Orders")
    .smallTitle()
    .searchable(text: $trading.search, prompt: "Search the orders")
    .toolbar {
      ToolbarItem(placement: .barEnd) { ExportMenu(store: export) }
    }
    .sheet(item: $export.prepared) { prepared in
      ExportSheet(export: prepared, words: words) { export.putAway(prepared) }
    }
  }

  private var state: OrdersState { trading.orders }

  private var shown: [OrderRowState] {
    state.shownRows.filter { market == nil || $0.symbol == market }
  }

  private var markets: [Symbol] { Set(state.rows.map(\.symbol)).sorted() }

  private var words: OrderWords {
    OrderWords(numbers: model.numbers, locale: locale, zone: timeZone)
  }

  private var nothing: Sentence {
    guard state.isLoaded else { return "Your orders are being read from disk." }
    return state.total == 0
      ? "No orders yet. What you buy and sell will be shown here with its receipt."
      : "No order matches."
  }

  private var footer: Sentence {
    guard let unlisted = state.unlisted else { return ledger }
    return Sentence(joining: [unlisted, ledger])
  }

  private var ledger: Sentence {
    guard let storage = state.storage else { return "Ledger not known" }
    let word: Sentence = storage.isIntact ? "Ledger intact" : "Ledger damaged"
    let count = storage.eventCount
    let events: Sentence = count == 1 ? "1 event" : "\(count) events"
    return "\(word) · \(events) · \(storage.head.prefix(8))"
  }
}

/// Why orders are rejected, with a Retry button.
struct StorageFailureView: View {
  let failure: Sentence
  let retry: () -> Void
  @Environment(\.locale) private var locale

  var body: some View {
    TwoEnds {
      Text(locale.text("Orders are refused: \(failure)")).font(.footnote)
    } trailing: {
      Button("Retry") { retry() }.buttonStyle(.bordered).accessibilityLabel("Retry the storage")
    }
  }
}

struct OrderRowView: View {
  let row: OrderRowState
  let words: OrderWords
  @Environment(\.colorScheme) private var colorScheme
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    TwoEnds(alignment: .top) {
      VStack(alignment: .leading, spacing: 2) {
        Text(words.title(row))
          .foregroundStyle(Palette(colorScheme).color(of: row.side == .buy ? .up : .down))
        Text(words.moment(row.placedAt)).font(.caption).foregroundStyle(.secondary)
      }
    } trailing: {
      VStack(alignment: typeSize.isAccessibilitySize ? .leading : .trailing, spacing: 2) {
        Text(words.status(row)).font(.footnote).bold()
        Text(figures).font(.caption).monospacedDigit()
      }
    }
  }

  private var figures: String {
    guard let average = row.average else { return words.filled(row) }
    return words.locale.text("\(words.filled(row)) avg \(words.number(average))")
  }
}

extension OrdersState {
  /// Which orders are listed; nil for all.
  var unlisted: Sentence? {
    guard total > rows.count else { return nil }
    return "The latest \(rows.count) of \(total), and all open ones; an export holds all of them."
  }
}

extension OrdersFilter {
  /// The label in the interface.
  fileprivate var words: Sentence {
    switch self {
    case .all: "All"
    case .open: "Open"
    case .pending: "Pending"
    case .partiallyFilled: "Partially filled"
    case .filled: "Filled"
    case .cancelled: "Cancelled"
    case .rejected: "Rejected"
    }
  }
}
