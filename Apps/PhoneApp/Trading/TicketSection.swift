import AppState
import Foundation
import MarketModel
import PaperTrading
import PhoneStores
import SwiftUI
import TicketModel

/// The ticket in its current phase, and why nothing can be sent meanwhile.
struct TicketSection: View {
  @ObservedObject var store: TicketStore
  @ObservedObject var trading: TradingStore
  let now: ClockReading
  let focus: FocusState<TicketDraft.Field?>.Binding
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
        TicketForm(store: store, ticket: ticket, words: words, focus: focus)
      }
      if let failure = trading.orders.failure {
        StorageFailureView(failure: failure) { trading.retry() }
      } else if ticket.sent == nil, let reason = ticket.blocked ?? ticket.hint {
        Text(locale.text(reason)).font(.footnote).foregroundStyle(.secondary)
          .accessibilityIdentifier("ticket reason")
      }
    }
    .textCase(nil)
    .onChange(of: store.announcement) { _, announcement in
      if let announcement { model.announce(words.written(announcement.text)) }
    }
  }

  private var words: OrderWords {
    OrderWords(numbers: model.numbers, locale: locale, zone: timeZone)
  }
}

struct TicketOutcome: View {
  @ObservedObject var store: TicketStore
  @ObservedObject var trading: TradingStore
  let ticket: Ticket
  let sent: SentOrder
  let outcome: OutcomeWords
  let words: OrderWords
  @EnvironmentObject private var model: AppModel

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      Text(words.written(ticket.title(of: sent.order))).font(.headline)
      Text(status).font(.subheadline).monospacedDigit()
      ForEach(texts, id: \.self) { Text($0).font(.footnote) }
    }
    .accessibilityElement(children: .combine)
    .accessibilityIdentifier("outcome")
    .onChange(of: spoken) { _, spoken in
      // The ticket announces a rejection itself.
      if sent.state == .placed { model.announce(spoken) }
    }
    .sensoryFeedback(trigger: Progress(sent: sent.state, order: row?.shownStatus)) { $1.feedback }
    ForEach(outcome.buttons, id: \.self) { button in
      Button(words.locale.text(button.label)) { store.press(button.action) }
    }
  }

  /// The stage of the order; each change has its haptic feedback.
  private struct Progress: Equatable {
    let sent: SentOrder.State
    let order: OrderStatus?

    /// Accepted and filled feel alike; a remainder that was cancelled is a warning.
    var feedback: SensoryFeedback? {
      switch (sent, order) {
      case (.rejected, _), (.unsent, _), (.placed, .rejected): .error
      case (.placed, .cancelled), (.doubtful, _): .warning
      case (.placed, _): .success
      case (.waiting, _), (.abandoned, _): nil
      }
    }
  }

  private var row: OrderRowState? {
    sent.historyOrder.flatMap { order in trading.orders.rows.first { $0.id == order } }
  }

  private var spoken: String { ([status] + texts).joined(separator: ". ") }

  private var status: String {
    guard let row else { return words.locale.text(outcome.status) }
    let status = words.status(row)
    return row.average.map {
      words.locale.text("\(status) · \(words.filled(row)) at \(words.number($0))")
    } ?? status
  }

  private var texts: [String] {
    guard sent.state == .placed else { return [words.written(outcome.text)] }
    let news = trading.news.first { $0.order == sent.historyOrder }?.texts
    let texts = (news ?? [row?.reason ?? outcome.text]) + [outcome.repeated].compactMap { $0 }
    return row.map { row in texts.map { words.sentence($0, in: row.symbol) } }
      ?? texts.map(words.locale.text)
  }
}

extension OutcomeWords.Button {
  var action: TicketAction {
    switch self {
    case .insist: .insist
    case .abandon: .abandon
    case .edit: .edit
    case .next: .next
    }
  }
}

struct TicketReviewView: View {
  @ObservedObject var store: TicketStore
  let ticket: Ticket
  let review: PinnedReview
  let words: OrderWords
  let now: ClockReading

  var body: some View {
    // One row, so that the preview and the button are visible together.
    VStack(alignment: .leading, spacing: 8) {
      Text(words.written(ticket.title(of: review.order))).font(.headline)
        .accessibilityAddTraits(.isHeader)
      if let question = ticket.sizeQuestion {
        Text(words.written(question)).font(.footnote).accessibilityIdentifier("size question")
      }
      PreviewView(preview: ticket.previewWords, side: review.order.side, words: words)
      Text(drift).font(.footnote).monospacedDigit().accessibilityIdentifier("drift")
      Button {
        store.press(.place)
      } label: {
        Text(words.locale.text(ticket.buttonLabel)).frame(maxWidth: .infinity)
      }
      .buttonStyle(.borderedProminent)
      .tint(Palette.fill(review.order.side))
      .disabled(ticket.isClosed || !store.isSettled)
    }
    Button("Back") { store.press(.back) }
  }

  private var drift: String {
    words.written(
      ticket.drift(at: now)?.text ?? "",
      ago: words.locale.text(AgeText.since(review.at, at: now)))
  }
}
