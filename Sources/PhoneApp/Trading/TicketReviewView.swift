// The last look before an order is placed. What was reviewed is pinned; how far the market has
// moved since is shown beside it.

import AppState
import Foundation
import MarketModel
import SwiftUI
import TicketModel

/// The review.
struct TicketReviewView: View {
  @ObservedObject var store: TicketStore
  let ticket: Ticket
  let review: PinnedReview
  let words: OrderWords
  let now: ClockReading

  var body: some View {
    // One row, so that nobody has to scroll between what would happen and the button.
    VStack(alignment: .leading, spacing: 8) {
      Text(words.written(ticket.title(of: review.order))).font(.headline)
        .accessibilityAddTraits(.isHeader)
      PreviewView(preview: ticket.previewWords, words: words)
      Text(drift).font(.footnote).monospacedDigit().accessibilityIdentifier("drift")
      Button {
        store.press(.place)
      } label: {
        Text(ticket.buttonLabel).frame(maxWidth: .infinity)
      }
      .buttonStyle(.borderedProminent)
      .disabled(ticket.isClosed || !store.isSettled)
    }
    Button("Back") { store.press(.back) }
  }

  private var drift: String {
    words.written(
      ticket.drift(at: now)?.text ?? "", ago: AgeText.since(review.at, at: now))
  }
}
