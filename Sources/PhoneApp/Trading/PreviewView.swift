// What an order would take now, in figures: the order service's response, no guess of the screen.

import AppState
import Foundation
import MarketModel
import OrderService
import PaperTrading
import SwiftUI

/// The figures of a preview.
struct PreviewView: View {
  let answer: OrderResponse?
  let ticket: OrderTicket?
  let words: OrderWords
  /// What the best offer holds.
  let offered: Quantity?
  /// What stands here while there is no answer.
  let hint: String

  var body: some View {
    switch answer {
    case .preview(let figures)?:
      VStack(alignment: .leading, spacing: 2) {
        ForEach(facts(figures), id: \.name) { fact in
          FactRow(name: fact.name, value: fact.value).font(.footnote)
        }
        if let ticket, let remainder = words.remainder(figures, of: ticket, offered: offered) {
          Text(remainder).font(.footnote)
        }
      }
    case .refused(let refusal)?:
      // A field's own slip is said at the field.
      if refusal.field == nil { Text(refusal.message).font(.footnote) }
    case .placed?, .cancelled?, .cancelledAll?: EmptyView()
    case nil: Text(hint).font(.footnote).foregroundStyle(.secondary)
    }
  }

  private func facts(_ figures: TicketPreview.Figures) -> [(name: String, value: String)] {
    guard let fill = figures.fill else { return [] }
    return [("Takes now", "\(words.quantity(fill.quantity)) × \(words.price(fill.price))")]
  }
}
