// The ticket in the phase it is in, and why nothing can be sent while that is so.

import AppState
import Foundation
import MarketModel
import SwiftUI
import TicketModel

/// The order ticket.
struct TicketSection: View {
  @ObservedObject var store: TicketStore
  @ObservedObject var trading: TradingStore
  let now: ClockReading
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var timeZone

  var body: some View {
    let ticket = store.shown
    Section("Order ticket") {
      if let sent = ticket.sent, let outcome = ticket.outcome {
        TicketOutcome(
          store: store, trading: trading, ticket: ticket, sent: sent, outcome: outcome,
          words: words)
      } else if let review = ticket.review {
        TicketReviewView(store: store, ticket: ticket, review: review, words: words, now: now)
      } else {
        TicketForm(store: store, ticket: ticket, words: words)
      }
      if let failure = trading.orders.failure {
        StorageFailureView(failure: failure) { trading.retry() }
      } else if ticket.sent == nil, let reason = ticket.blocked ?? ticket.hint {
        Text(reason).font(.footnote).foregroundStyle(.secondary)
          .accessibilityIdentifier("ticket reason")
      }
    }
    .textCase(nil)
  }

  private var words: OrderWords {
    OrderWords(numbers: model.numbers, rules: trading.rules, locale: locale, zone: timeZone)
  }
}
