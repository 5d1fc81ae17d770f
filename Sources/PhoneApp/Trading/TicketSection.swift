// The ticket in the phase it is in, and why nothing can be sent while that is so.

import AppState
import Foundation
import MarketModel
import SwiftUI

/// The order ticket.
struct TicketSection: View {
  @ObservedObject var ticket: TicketStore
  @ObservedObject var trading: TradingStore
  let market: ExchangeState
  let now: ClockReading
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var timeZone

  var body: some View {
    Section("Order ticket") {
      switch ticket.phase {
      case .form:
        TicketForm(ticket: ticket, words: words, market: market, blocked: blocked)
      case .review(let review):
        TicketReviewView(
          ticket: ticket, review: review, words: words, now: now, blocked: blocked)
      case .sent(let sent):
        TicketOutcome(ticket: ticket, trading: trading, sent: sent, words: words)
      }
      if let failure = trading.orders.failure {
        StorageFailureView(failure: failure) { trading.retry() }
      } else if let reason = blocked ?? hint {
        Text(reason).font(.footnote).foregroundStyle(.secondary)
          .accessibilityIdentifier("ticket reason")
      }
    }
    .textCase(nil)
  }

  private var words: OrderWords {
    OrderWords(numbers: model.numbers, rules: trading.rules, locale: locale, zone: timeZone)
  }

  /// Why nothing can be sent now; nil when something can.
  private var blocked: String? {
    if case .sent = ticket.phase { return nil }
    let state = market.freshness.state
    guard trading.orders.isLoaded else { return "Your orders are being read from disk." }
    if let failure = trading.orders.failure { return "Orders can’t be stored: \(failure)" }
    guard ticket.kind == .market, state != .live else { return nil }
    return "A market order needs live prices: \(freshness). A limit order can wait for them."
  }

  private var hint: String? {
    if case .sent = ticket.phase { return nil }
    guard ticket.kind == .limit, market.freshness.state != .live else { return nil }
    return "Prices are not live (\(freshness)): a limit order waits for them."
  }

  private var freshness: String {
    FreshnessText.words(market.freshness, at: now).lowercased()
  }
}
