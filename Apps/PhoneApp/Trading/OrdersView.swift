import AppState
import Foundation
import MarketModel
import PaperTrading
import SwiftUI
import TicketModel

/// EX6, LT5: the order history, newest first, by status, each order with its receipt; and whether
/// the ledger is intact.
struct OrdersView: View {
  @ObservedObject var trading: TradingStore
  @StateObject private var export: ExportStore
  @State private var opened: Set<OrderIdentifier> = []
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
            OrderRowView(row: row, words: words, isOpened: opened.contains(row.id)) {
              opened.formSymmetricDifference([row.id])
            }
            if opened.contains(row.id) {
              OrderDetails(trading: trading, row: row, words: words)
            }
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
    guard state.total > state.rows.count else { return ledger }
    let (shown, all) = (state.rows.count, state.total)
    return Sentence(joining: [
      "The latest \(shown) of \(all), and all open ones; an export holds all of them.", ledger,
    ])
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
  let isOpened: Bool
  let toggle: () -> Void
  @Environment(\.colorScheme) private var colorScheme
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    Button {
      toggle()
    } label: {
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
      .contentShape(Rectangle())
    }
    .buttonStyle(.plain)
    .accessibilityLabel(words.sentence(row))
    .accessibilityValue(isOpened ? "receipt shown" : "receipt hidden")
  }

  private var figures: String {
    guard let average = row.average else { return words.filled(row) }
    return words.locale.text("\(words.filled(row)) avg \(words.number(average))")
  }
}

struct OrderDetails: View {
  @ObservedObject var trading: TradingStore
  let row: OrderRowState
  let words: OrderWords

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      if let reason = row.reason { Text(words.sentence(reason, in: row.symbol)) }
      ForEach(facts, id: \.name) { fact in
        FactRow(name: fact.name, value: fact.value)
      }
      ForEach(row.levels.indices, id: \.self) { index in
        let level = row.levels[index]
        FactRow(
          name: "Taken", value: filled(level.quantity, level.price))
      }
      if row.isOpen { CancelButton(trading: trading, row: row, title: words.title(row)) }
    }
    .font(.footnote)
  }

  private func filled(_ quantity: FixedDecimal, _ price: FixedDecimal) -> String {
    words.locale.text("\(words.number(quantity)) at \(words.number(price))")
  }

  private var facts: [(name: Sentence, value: String)] {
    let optional: [(Sentence, String?)] = [
      ("Filled", words.filled(row)),
      ("Open", row.open.units > 0 ? words.number(row.open) : nil),
      ("Cancelled", row.cancelled.units > 0 ? words.number(row.cancelled) : nil),
      (
        "Fee",
        row.fees.flatMap { FixedDecimal(plain: $0) }.map {
          "\(words.number($0)) \(row.currency ?? "")"
        }
      ),
      ("Average", row.average.map(words.number)),
      ("Limit", row.limit.map(words.number)),
      (row.side == .buy ? "Max price" : "Min price", row.protection.map(words.number)),
      ("Triggered", row.trigger.flatMap(words.triggered)),
      ("Linked order", row.link?.primary.description),
      ("Terms", words.terms(row.terms)),
      ("Latency", row.latency.map { "\($0.milliseconds) ms" }),
      ("Price when sent", row.latency?.submitted.map(words.number)),
      ("Price at arrival", row.latency?.arrived.map(words.number)),
      ("Slippage", row.slippage.map(words.slippage)),
      (
        "Would have filled",
        row.wouldHaveFilled.map { filled($0.quantity, $0.price) }
      ),
      ("Placed", words.moment(row.placedAt)),
      ("Last change", row.changedAt == row.placedAt ? nil : words.moment(row.changedAt)),
      ("Number", row.id.description),
    ]
    return optional.compactMap { name, value in value.map { (name, $0) } }
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
