// The last look before an order is placed. What was reviewed is pinned; how far the market has
// moved since is shown beside it.

import AppState
import Foundation
import MarketModel
import PaperTrading
import SwiftUI

/// The review.
struct TicketReviewView: View {
  @ObservedObject var ticket: TicketStore
  let review: TicketReview
  let words: OrderWords
  let now: ClockReading
  let blocked: String?

  var body: some View {
    // One row, so that nobody has to scroll between what would happen and the button.
    VStack(alignment: .leading, spacing: 8) {
      Text(words.title(review.ticket)).font(.headline).accessibilityAddTraits(.isHeader)
      PreviewView(
        answer: review.answer, ticket: review.ticket, words: words,
        offered: review.best?.quantity, hint: "")
      Text(drift).font(.footnote).monospacedDigit().accessibilityIdentifier("drift")
      Button {
        ticket.place()
      } label: {
        Text("Place \(review.ticket.side.word.lowercased()) order").frame(maxWidth: .infinity)
      }
      .buttonStyle(.borderedProminent)
      .disabled(blocked != nil || !ticket.isSettled)
    }
    Button("Back") { ticket.back() }
  }

  private var drift: String {
    let side = review.ticket.side
    let name = side == .buy ? "Best sell" : "Best buy"
    let age = AgeText.since(review.at, at: now)
    let latest = ticket.best(on: side)
    guard let then = review.best else {
      return
        "\(name): none when you reviewed, \(latest.map { words.number($0.price) } ?? "none") now."
    }
    guard let latest else {
      return "\(name) \(words.number(then.price)) when you reviewed \(age); none now."
    }
    guard then.price != latest.price else { return "\(same(name, then, latest, age))." }
    let isHigher = latest.price > then.price
    let isWorse = (side == .buy) == isHigher
    return "\(name) \(words.number(then.price)) → \(words.number(latest.price)) since your review "
      + "\(age): \(isWorse ? "worse" : "better") for you."
  }

  private func same(
    _ name: String, _ then: TicketReview.Best, _ now: TicketReview.Best, _ age: String
  ) -> String {
    let isSame = then.quantity == now.quantity
    let sizes = [then.quantity, now.quantity].map { $0.map(words.quantity) ?? "none" }
    return "\(name) \(words.number(then.price)) as reviewed \(age)"
      + (isSame ? "" : ", quantity \(sizes[0]) → \(sizes[1])")
  }
}
