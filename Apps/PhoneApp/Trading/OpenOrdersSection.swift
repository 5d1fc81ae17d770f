import AppState
import Foundation
import MarketModel
import PaperTrading
import PhoneStores
import SwiftUI
import TicketModel

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
            .accessibilityLabel(locale.text("Dismiss order \(news.order)"))
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
    (news.isWarning ? "⚠︎ " : "")
      + (row(news).map(words.title) ?? locale.text("Order \(news.order)"))
  }

  private func texts(_ news: OrderNews) -> String {
    let row = row(news)
    return news.texts.map { text in
      row.map { words.sentence(text, in: $0.symbol) } ?? locale.text(text)
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
  let ticket: Ticket
  @State private var amended: OrderIdentifier?
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var timeZone

  var body: some View {
    Section(locale.text("Open orders (\(open.count))")) {
      if open.isEmpty {
        Text(trading.orders.isLoaded ? "No open orders." : "Loading orders…")
          .foregroundStyle(.secondary)
      }
      ForEach(open, id: \.id) { row in
        line(row)
        if amended == row.id {
          AmendForm(
            trading: trading, row: row, words: words,
            market: tradedHere == row.symbol.text ? ticket.facts.market : nil
          ) {
            amended = nil
          }
        }
      }
      if open.count > 1 {
        CancelAllButton(trading: trading, rows: open, words: words)
      }
      if unlisted > 0 {
        Text(locale.text("\(unlisted) older open orders are not listed.")).font(.footnote)
      }
      if let complaint = trading.complaint {
        Text(locale.text(complaint)).font(.footnote)
      }
    }
    .textCase(nil)
  }

  private func line(_ row: OrderRowState) -> some View {
    // Below each other: two verbs beside a title would leave it half the width.
    VStack(alignment: .leading, spacing: 8) {
      NavigationLink(value: OrdersPlace.order(row.id)) {
        VStack(alignment: .leading, spacing: 2) {
          Text(words.title(row))
          Text(locale.text("\(words.status(row)) · \(words.filled(row)) filled"))
            .font(.footnote)
            .monospacedDigit()
          if isHeld(row) { Text("Cancelling…").font(.footnote) }
          if row.change == .amending { Text("Amending…").font(.footnote) }
          if let reason = row.reason {
            Text(words.sentence(reason, in: row.symbol)).font(.footnote).foregroundStyle(
              .secondary)
          }
        }
      }
      .accessibilityLabel(words.sentence(row))
      HStack(spacing: 20) {
        if isHeld(row) {
          Button("Undo") { trading.undo(row.id) }
            .buttonStyle(.borderless)
            .accessibilityLabel(locale.text("Undo the cancellation of order \(row.id)"))
        } else {
          Button("Amend") { amended = amended == row.id ? nil : row.id }
            .buttonStyle(.borderless)
            .disabled(!canChange(row))
            .accessibilityLabel(locale.text("Amend order \(row.id), \(words.title(row))"))
          CancelButton(trading: trading, row: row, title: words.title(row))
        }
      }
    }
    .swipeActions {
      if canChange(row), !isHeld(row), !trading.cancelling.contains(row.id) {
        // Not destructive: SwiftUI would remove the row at once, and the order is still open.
        Button("Cancel") { trading.hold(row.id) }.tint(Color.red)
        Button("Amend") { amended = row.id }
      }
    }
  }

  private func isHeld(_ row: OrderRowState) -> Bool { trading.held[row.id] != nil }

  private func canChange(_ row: OrderRowState) -> Bool {
    trading.orders.failure == nil && row.change == nil
  }

  /// The newest open orders are listed only.
  private var unlisted: Int { trading.orders.openCount - trading.orders.openRows.count }

  /// The ticket's market as orders name it.
  private var tradedHere: String {
    ticket.facts.instrument.isEmpty ? ticket.facts.symbol : ticket.facts.instrument
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
      .confirmationDialog(words.locale.text(question), isPresented: $isAsked) {
        Button(role: .destructive) {
          trading.cancel(rows)
        } label: {
          Text(words.locale.text(command))
        }
        Button("Don’t cancel", role: .cancel) {}
      } message: {
        Text("Fills are kept.")
      }
  }

  private var question: Sentence {
    market.map { "Cancel all open \($0) orders?" } ?? "Cancel all open orders?"
  }

  private var command: Sentence {
    market.map { "Cancel \(rows.count) \($0) orders" } ?? "Cancel \(rows.count) orders"
  }

  /// The orders' market; nil for several.
  private var market: String? {
    let markets = Set(rows.map(\.symbol))
    return markets.count == 1 ? markets.first.map(words.market) : nil
  }
}

struct CancelButton: View {
  @ObservedObject var trading: TradingStore
  let row: OrderRowState
  let title: String
  @Environment(\.locale) private var locale

  var body: some View {
    let isUnderWay =
      trading.cancelling.contains(row.id) || trading.held[row.id] != nil
      || row.change == .cancelling
    Button(isUnderWay ? "Cancelling…" : "Cancel", role: .destructive) { trading.cancel(row.id) }
      .buttonStyle(.borderless)
      .disabled(isUnderWay || trading.orders.failure != nil)
      .accessibilityLabel(locale.text("Cancel order \(row.id), \(title)"))
  }
}
