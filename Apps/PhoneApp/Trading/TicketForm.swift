// The ticket while it is filled in. Buy is at the left and sell at the right, in word and in place;
// what is wrong with a field is said at the field.

import Foundation
import MarketModel
import SwiftUI
import TicketModel

/// The fields, what would happen, and the button that goes on.
struct TicketForm: View {
  @ObservedObject var store: TicketStore
  let ticket: Ticket
  let words: OrderWords
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    choices
    field(.quantity, "Quantity", $store.quantity)
    if ticket.draft.pricing == .limit { field(.price, "Limit price", $store.price) }
    // One row, so that the button is seen together with what it leads to.
    VStack(alignment: .leading, spacing: 8) {
      PreviewView(preview: ticket.previewWords, words: words)
      Button {
        store.goOn()
      } label: {
        Text(ticket.buttonLabel).frame(maxWidth: .infinity)
      }
      .buttonStyle(.borderedProminent)
      .disabled(ticket.isClosed)
    }
  }

  /// Side and kind beside each other, or below each other for very large words.
  private var choices: some View {
    let layout =
      typeSize.isAccessibilitySize ? AnyLayout(VStackLayout()) : AnyLayout(HStackLayout())
    return layout {
      Picker("Side", selection: $store.side) {
        Text("Buy").tag(Side.buy)
        Text("Sell").tag(Side.sell)
      }
      .pickerStyle(.segmented)
      Picker("Kind of order", selection: $store.pricing) {
        Text("Market").tag(TicketDraft.Pricing.market)
        Text("Limit").tag(TicketDraft.Pricing.limit)
      }
      .pickerStyle(.segmented)
    }
  }

  private func field(
    _ field: TicketDraft.Field, _ name: String, _ text: Binding<String>
  ) -> some View {
    TicketField(
      name: name, text: text, hint: words.written(ticket.stepHint(field) ?? ""),
      fault: ticket.fault(field).map { words.written($0) },
      step: { store.perform(.step(field, $0 ? 1 : -1)) })
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
