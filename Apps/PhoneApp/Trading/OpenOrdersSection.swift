import AppState
import Foundation
import MarketModel
import PaperTrading
import SwiftUI

/// Order notifications, each shown until it is dismissed: fills, cancellations, rejections and why.
struct NewsSection: View {
  @ObservedObject var trading: TradingStore
  /// The number of the order that the ticket shows itself.
  let shownInTicket: UInt64?
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var timeZone

  var body: some View {
    if !shown.isEmpty {
      Section("Order activity") {
        ForEach(shown, id: \.order) { news in
          HStack(alignment: .top) {
            VStack(alignment: .leading, spacing: 2) {
              Text(title(news)).font(.subheadline)
              Text(texts(news)).font(.footnote)
            }
            Spacer()
            Button {
              trading.dismiss(news.order)
            } label: {
              Image(systemName: "xmark").frame(minWidth: 44, minHeight: 44)
            }
            .buttonStyle(.borderless)
            .accessibilityLabel("Dismiss order \(news.order)")
          }
        }
      }
      .textCase(nil)
    }
  }

  private var shown: [OrderNews] {
    trading.news.filter { $0.order.number != shownInTicket }
  }

  private func title(_ news: OrderNews) -> String {
    (news.isWarning ? "⚠︎ " : "") + (row(news).map(words.title) ?? "Order \(news.order)")
  }

  private func texts(_ news: OrderNews) -> String {
    let row = row(news)
    return news.texts.map { text in
      row.map { words.sentence(text, in: $0.symbol) } ?? text.description
    }.joined(separator: "\n")
  }

  private func row(_ news: OrderNews) -> OrderRowState? {
    trading.orders.rows.first { $0.id == news.order }
  }

  private var words: OrderWords {
    OrderWords(numbers: model.numbers, locale: locale, zone: timeZone)
  }
}

/// The open orders of all markets, or of one.
struct OpenOrdersSection: View {
  @ObservedObject var trading: TradingStore
  /// Nil for all.
  let market: Symbol?
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var timeZone

  var body: some View {
    Section("Open orders (\(open.count))") {
      if open.isEmpty {
        Text(trading.orders.isLoaded ? "No open orders." : "Loading orders…")
          .foregroundStyle(.secondary)
      }
      ForEach(open, id: \.id) { row in
        TwoEnds {
          VStack(alignment: .leading, spacing: 2) {
            Text(words.title(row))
            Text("\(row.shownStatus.rawValue) · \(words.filled(row)) filled")
              .font(.footnote)
              .monospacedDigit()
            if let reason = row.reason {
              Text(words.sentence(reason, in: row.symbol)).font(.footnote).foregroundStyle(
                .secondary)
            }
          }
          .accessibilityElement(children: .ignore)
          .accessibilityLabel(words.sentence(row))
        } trailing: {
          CancelButton(trading: trading, row: row, title: words.title(row))
        }
      }
      if open.count > 1 {
        CancelAllButton(trading: trading, rows: open, words: words)
      }
      if let complaint = trading.complaint {
        Text(complaint).font(.footnote)
      }
    }
    .textCase(nil)
  }

  private var open: [OrderRowState] {
    trading.orders.openRows.filter { market == nil || $0.symbol == market }
  }

  private var words: OrderWords {
    OrderWords(numbers: model.numbers, locale: locale, zone: timeZone)
  }
}

/// Cancels the listed orders, after a confirmation.
private struct CancelAllButton: View {
  let trading: TradingStore
  let rows: [OrderRowState]
  let words: OrderWords
  @State private var isAsked = false

  var body: some View {
    Button("Cancel all", role: .destructive) { isAsked = true }
      .disabled(trading.orders.failure != nil)
      .confirmationDialog("Cancel all open \(kind)?", isPresented: $isAsked) {
        Button("Cancel \(rows.count) \(kind)", role: .destructive) { trading.cancel(rows) }
        Button("Don’t cancel", role: .cancel) {}
      } message: {
        Text("Fills are kept.")
      }
  }

  /// "TROAD orders"; "orders" of several markets.
  private var kind: String {
    let markets = Set(rows.map(\.symbol))
    guard let market = markets.first, markets.count == 1 else { return "orders" }
    return words.market(market) + " orders"
  }
}

struct CancelButton: View {
  @ObservedObject var trading: TradingStore
  let row: OrderRowState
  let title: String

  var body: some View {
    let isUnderWay = trading.cancelling.contains(row.id)
    Button(isUnderWay ? "Cancelling…" : "Cancel", role: .destructive) { trading.cancel(row.id) }
      .buttonStyle(.borderless)
      .disabled(isUnderWay || trading.orders.failure != nil)
      .accessibilityLabel("Cancel order \(row.id), \(title)")
  }
}
