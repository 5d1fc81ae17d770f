// The ticket while it is filled in. Buy is at the left and sell at the right, in word and in place;
// what is wrong with a field is said at the field.

import AppState
import Foundation
import MarketModel
import OrderService
import PaperTrading
import SwiftUI

/// The fields, what would happen, and the button that goes on.
struct TicketForm: View {
  @ObservedObject var ticket: TicketStore
  let words: OrderWords
  let market: ExchangeState
  let blocked: String?
  @EnvironmentObject private var model: AppModel
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    choices
    TicketField(
      name: "Quantity", text: $ticket.quantity, hint: "in steps of \(words.number(lot))",
      fault: fault(.quantity), step: { ticket.stepQuantity(up: $0) })
    if ticket.kind == .limit {
      TicketField(
        name: "Limit price", text: $ticket.price, hint: "in steps of \(words.number(tick))",
        fault: fault(.price), step: { ticket.stepPrice(up: $0) })
    }
    // One row, so that the button is seen together with what it leads to.
    VStack(alignment: .leading, spacing: 8) {
      PreviewView(
        answer: ticket.preview, ticket: previewed, words: words, offered: offered,
        hint: previewHint)
      Button {
        ticket.goOn()
      } label: {
        Text("\(model.reviewsOrders ? "Review" : "Place") \(ticket.side.word.lowercased()) order")
          .frame(maxWidth: .infinity)
      }
      .buttonStyle(.borderedProminent)
      .disabled(blocked != nil || ticket.isChecking)
    }
  }

  /// Side and kind beside each other, or below each other for very large words.
  private var choices: some View {
    let layout =
      typeSize.isAccessibilitySize ? AnyLayout(VStackLayout()) : AnyLayout(HStackLayout())
    return layout {
      Picker("Side", selection: $ticket.side) {
        Text("Buy").tag(Side.buy)
        Text("Sell").tag(Side.sell)
      }
      .pickerStyle(.segmented)
      Picker("Kind of order", selection: $ticket.kind) {
        Text("Market").tag(TicketStore.Kind.market)
        Text("Limit").tag(TicketStore.Kind.limit)
      }
      .pickerStyle(.segmented)
    }
  }

  private var lot: FixedDecimal { words.rules.decimal(words.rules.lot) }
  private var tick: FixedDecimal { words.rules.decimal(words.rules.tick) }

  /// What the order service says of a field: of the latest try, or of what is typed now.
  private func fault(_ field: TicketProblem.Field) -> String? {
    if let refusal = ticket.refusal, refusal.field == field { return refusal.message }
    guard case .refused(let refusal)? = ticket.preview, refusal.field == field else { return nil }
    return refusal.message
  }

  private var offered: Quantity? { ticket.best(on: ticket.side)?.quantity }

  /// The order as the preview speaks of it; its name does not matter.
  private var previewed: OrderTicket? {
    ClientOrderIdentifier("preview").map {
      OrderTicket(
        clientIdentifier: $0, side: ticket.side,
        kind: ticket.kind == .market ? .market : .limit(price: ticket.price),
        quantity: ticket.quantity)
    }
  }

  private var previewHint: String {
    if ticket.quantity.isEmpty || (ticket.kind == .limit && ticket.price.isEmpty) {
      return ticket.kind == .limit
        ? "Enter a quantity and a price to see what would happen."
        : "Enter a quantity to see what would happen."
    }
    return "Asking what would happen…"
  }
}

/// A number to type or to step.
struct TicketField: View {
  let name: String
  @Binding var text: String
  let hint: String
  let fault: String?
  let step: (Bool) -> Void
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    VStack(alignment: .leading, spacing: 2) {
      Stepper {
        layout {
          Text(name)
          TextField(name, text: $text)
            .monospacedDigit()
            .multilineTextAlignment(typeSize.isAccessibilitySize ? .leading : .trailing)
            .typedAsItIs()
        }
      } onIncrement: {
        step(true)
      } onDecrement: {
        step(false)
      }
      .accessibilityIdentifier("\(name) steps")
      if let fault {
        Label(fault, systemImage: "exclamationmark.triangle").font(.footnote)
          .accessibilityIdentifier("\(name) fault")
      } else {
        Text(hint).font(.footnote).foregroundStyle(.secondary)
      }
    }
  }

  /// The number gets a line of its own where its name alone fills one.
  private var layout: AnyLayout {
    typeSize.isAccessibilitySize
      ? AnyLayout(VStackLayout(alignment: .leading)) : AnyLayout(HStackLayout())
  }
}
