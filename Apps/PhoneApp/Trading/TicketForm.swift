import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import TicketModel

/// The ticket's form: fields, preview and the review button.
///
/// Buy is always at the left and sell at the right; an error is shown at its field.
struct TicketForm: View {
  @ObservedObject var store: TicketStore
  let ticket: Ticket
  let words: OrderWords
  let focus: FocusState<TicketDraft.Field?>.Binding
  @Environment(\.locale) private var locale
  @Environment(\.dynamicTypeSize) private var typeSize

  private var validities: [TicketDraft.Validity] {
    TicketDraft.Validity.allCases.filter { draft.pricing == .limit || $0.atMarket == $0 }
  }

  var body: some View {
    choices
    Picker("When", selection: $store.condition) {
      ForEach(TicketDraft.Condition.allCases, id: \.self) {
        Text(locale.text($0.label)).tag($0)
      }
    }
    .pickerStyle(.menu)
    field(.quantity, "Quantity", $store.quantity)
    if draft.pricing == .limit {
      field(.price, "Limit price", $store.price)
    } else if draft.condition == .none {
      field(.protection, draft.side == .buy ? "Max price" : "Min price", $store.protection)
    }
    if draft.condition != .none {
      field(.trigger, draft.condition.triggerLabel, $store.trigger)
    }
    if draft.condition == .bracket { field(.profit, "Take profit", $store.profit) }
    if draft.pricing == .limit || draft.condition.waits {
      Picker("Time in force", selection: $store.validity) {
        ForEach(validities, id: \.self) { Text(locale.text($0.label)).tag($0) }
      }
      .pickerStyle(.menu)
    }
    Toggle("Only reduce my position", isOn: $store.isReduceOnly)
    // One row, so that the button and the preview are visible together.
    VStack(alignment: .leading, spacing: 8) {
      PreviewView(preview: ticket.previewWords, side: draft.side, words: words)
      Button {
        store.goOn()
      } label: {
        Text(locale.text(ticket.buttonLabel)).frame(maxWidth: .infinity)
      }
      .buttonStyle(.borderedProminent)
      .tint(Palette.fill(draft.side))
      .disabled(ticket.isClosed)
    }
  }

  private var draft: TicketDraft { ticket.draft }

  /// Side and kind beside each other, or stacked for very large text.
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
    _ field: TicketDraft.Field, _ name: Sentence, _ text: Binding<String>
  ) -> some View {
    TicketField(
      name: name, text: text, hint: words.written(ticket.stepHint(field) ?? ""),
      fault: ticket.fault(field).map { words.written($0) }, field: field, focus: focus,
      step: { store.perform(.step(field, $0 ? 1 : -1)) })
  }
}

struct TicketField: View {
  let name: Sentence
  @Binding var text: String
  let hint: String
  let fault: String?
  let field: TicketDraft.Field
  let focus: FocusState<TicketDraft.Field?>.Binding
  let step: (Bool) -> Void
  @Environment(\.locale) private var locale
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    VStack(alignment: .leading, spacing: 2) {
      layout {
        Text(locale.text(name)).accessibilityHidden(true)
        TextField(locale.text(name), text: $text)
          .monospacedDigit()
          .multilineTextAlignment(typeSize.isAccessibilitySize ? .leading : .trailing)
          .typedAsNumber()
          .focused(focus, equals: field)
        // Beside the field, not around it: a screen reader finds both.
        Stepper {
          Text(locale.text(name))
        } onIncrement: {
          step(true)
        } onDecrement: {
          step(false)
        }
        .labelsHidden()
        .accessibilityIdentifier("\(name.key) steps")
      }
      if let fault {
        Label(fault, systemImage: "exclamationmark.triangle").font(.footnote)
          .accessibilityIdentifier("\(name.key) fault")
      } else {
        Text(hint).font(.footnote).foregroundStyle(.secondary)
      }
    }
  }

  /// The number takes a line of its own where its name alone fills one.
  private var layout: AnyLayout {
    typeSize.isAccessibilitySize
      ? AnyLayout(VStackLayout(alignment: .leading)) : AnyLayout(HStackLayout())
  }
}
