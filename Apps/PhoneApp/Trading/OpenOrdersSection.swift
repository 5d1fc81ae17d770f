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
              Text(news.texts.joined(separator: "\n")).font(.footnote)
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
    let words = OrderWords(
      numbers: model.numbers, rules: trading.rules, locale: locale, zone: timeZone)
    let row = trading.orders.rows.first { $0.id == news.order }
    let sign = news.isWarning ? "⚠︎ " : ""
    return sign + (row.map(words.title) ?? "Order \(news.order)")
  }
}

struct OpenOrdersSection: View {
  @ObservedObject var trading: TradingStore
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var timeZone

  var body: some View {
    Section("Open orders (\(trading.orders.openCount))") {
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
              Text(reason).font(.footnote).foregroundStyle(.secondary)
            }
          }
          .accessibilityElement(children: .ignore)
          .accessibilityLabel(words.sentence(row))
        } trailing: {
          CancelButton(trading: trading, row: row, title: words.title(row))
        }
      }
      if open.count > 1 {
        CancelAllButton(trading: trading, count: open.count)
      }
      if let complaint = trading.complaint {
        Text(complaint).font(.footnote)
      }
    }
    .textCase(nil)
  }

  private var open: [OrderRowState] { trading.orders.openRows }

  private var words: OrderWords {
    OrderWords(numbers: model.numbers, rules: trading.rules, locale: locale, zone: timeZone)
  }
}

/// Cancels every open order, after a confirmation.
private struct CancelAllButton: View {
  let trading: TradingStore
  let count: Int
  @State private var isAsked = false

  var body: some View {
    Button("Cancel all", role: .destructive) { isAsked = true }
      .disabled(trading.orders.failure != nil)
      .confirmationDialog("Cancel all open \(trading.symbol.text) orders?", isPresented: $isAsked) {
        Button("Cancel \(count) \(trading.symbol.text) orders", role: .destructive) {
          trading.cancelAll()
        }
        Button("Don’t cancel", role: .cancel) {}
      } message: {
        Text("Fills are kept.")
      }
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
