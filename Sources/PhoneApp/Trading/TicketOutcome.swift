// What came of the order that the ticket sent: it stays until the person goes on.

import AppState
import Foundation
import MarketModel
import OrderService
import PaperTrading
import SwiftUI

/// The outcome.
struct TicketOutcome: View {
  @ObservedObject var ticket: TicketStore
  @ObservedObject var trading: TradingStore
  let sent: SentTicket
  let words: OrderWords

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      Text(words.title(sent.ticket)).font(.headline)
      Text(status).font(.subheadline).monospacedDigit()
      ForEach(texts, id: \.self) { Text($0).font(.footnote) }
    }
    .accessibilityElement(children: .combine)
    .accessibilityIdentifier("outcome")
    switch sent.answer {
    case nil: EmptyView()
    case .refused?:
      Button("Edit") { ticket.edit() }
      Button("New order") { ticket.next() }
    case .placed?, .cancelled?, .cancelledAll?, .preview?:
      Button("New order") { ticket.next() }
    }
  }

  private var row: OrderRowState? {
    sent.order.flatMap { order in trading.orders.rows.first { $0.id == order } }
  }

  private var status: String {
    guard let row else {
      switch sent.answer {
      case nil: return "SENT"
      case .refused?: return "REJECTED"
      case .placed?, .cancelled?, .cancelledAll?, .preview?: return "PLACED"
      }
    }
    let filled = row.average.map { " · \(words.filled(row)) at \(words.number($0))" }
    return row.status.rawValue + (filled ?? "")
  }

  private var texts: [String] {
    switch sent.answer {
    case nil: return ["Sent; waiting for the answer."]
    case .refused(let refusal)?: return [refusal.message]
    case .placed(let order, let isRepeated)?:
      let news = trading.news.first { $0.order == order }?.texts
      let again = isRepeated ? ["It had arrived before; nothing was ordered twice."] : []
      return (news ?? [row?.reason ?? "Order \(order) is placed."]) + again
    case .cancelled?, .cancelledAll?, .preview?: return []
    }
  }
}
