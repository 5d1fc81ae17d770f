// What came of the order that the ticket sent: it stays until the person goes on.

import AppState
import Foundation
import MarketModel
import PaperTrading
import SwiftUI
import TicketModel

/// The outcome.
struct TicketOutcome: View {
  @ObservedObject var store: TicketStore
  @ObservedObject var trading: TradingStore
  let ticket: Ticket
  let sent: SentOrder
  let outcome: OutcomeWords
  let words: OrderWords

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      Text(words.written(ticket.title(of: sent.order))).font(.headline)
      Text(status).font(.subheadline).monospacedDigit()
      ForEach(texts, id: \.self) { Text($0).font(.footnote) }
    }
    .accessibilityElement(children: .combine)
    .accessibilityIdentifier("outcome")
    ForEach(outcome.buttons, id: \.self) { button in
      Button(button.label) { store.press(button.action) }
    }
  }

  private var row: OrderRowState? {
    sent.historyOrder.flatMap { order in trading.orders.rows.first { $0.id == order } }
  }

  private var status: String {
    guard let row else { return outcome.status }
    let filled = row.average.map { " · \(words.filled(row)) at \(words.number($0))" }
    return row.shownStatus.rawValue + (filled ?? "")
  }

  private var texts: [String] {
    guard sent.state == .placed else { return [words.written(outcome.text)] }
    let news = trading.news.first { $0.order == sent.historyOrder }?.texts
    return (news ?? [row?.reason ?? outcome.text]) + [outcome.repeated].compactMap { $0 }
  }
}

extension OutcomeWords.Button {
  /// What a press on it does.
  var action: TicketAction {
    switch self {
    case .insist: .insist
    case .abandon: .abandon
    case .edit: .edit
    case .next: .next
    }
  }
}
