import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import TicketModel

/// What an order would fill now; the figures are the order service's response.
struct PreviewView: View {
  let preview: PreviewWords
  let side: Side
  let words: OrderWords

  var body: some View {
    VStack(alignment: .leading, spacing: 2) {
      if let taken = preview.taken { row("Fills now", taken) }
      if let together = preview.together {
        row(side == .buy ? "Est. cost" : "Est. proceeds", together)
      }
      if let worst = preview.worst { row("Worst price", worst) }
      if let fee = preview.fee { row("Fee", fee) }
      if let slippage = preview.slippage { row("Slippage", "\(slippage) bp") }
      if let position = preview.position { row("Position after", position) }
      if let remainder = preview.remainder {
        Text(words.written(remainder)).font(.footnote)
          .foregroundStyle(preview.isEmpty ? .secondary : .primary)
      }
      if let latency = preview.latency { Text(words.written(latency)).font(.footnote) }
      if let bound = preview.bound { Text(words.written(bound)).font(.footnote) }
    }
  }

  private func row(_ name: Sentence, _ figures: String) -> some View {
    FactRow(name: name, value: words.written(figures)).font(.footnote)
  }
}
