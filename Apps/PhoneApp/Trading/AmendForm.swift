import AppState
import Foundation
import MarketModel
import OrderService
import PaperTrading
import PhoneStores
import SwiftUI
import TicketModel

/// An open order's quantity, trigger and limit as typed.
struct AmendDraft: Equatable {
  /// What can be changed.
  enum Field: CaseIterable {
    case quantity
    case trigger
    case price
  }

  private(set) var typed: [Field: String]

  subscript(field: Field) -> String {
    get { typed[field] ?? "" }
    set { typed[field] = newValue }
  }

  /// Begins with the order's values.
  init(_ row: OrderRowState, signs: NumberSigns) {
    typed = Self.values(of: row).mapValues { signs.typed($0.description) }
  }

  /// The order's values: the quantity unless it follows another order's, the trigger while it
  /// waits, and the limit.
  static func values(of row: OrderRowState) -> [Field: FixedDecimal] {
    var values: [Field: FixedDecimal] = [:]
    if row.trigger == nil || row.link == nil { values[.quantity] = row.quantity }
    if let trigger = row.trigger, trigger.activatedAt == nil, row.isOpen {
      values[.trigger] = trigger.trail ?? trigger.trailPercent ?? trigger.price
    }
    values[.price] = row.limit
    return values
  }

  /// The fields that differ from the order, in digits, or the first one that is no number.
  func change(of row: OrderRowState, signs: NumberSigns) -> (wrong: Field?, [Field: FixedDecimal]) {
    let values = Self.values(of: row)
    var changed: [Field: FixedDecimal] = [:]
    for field in Field.allCases {
      guard let value = values[field], let text = typed[field] else { continue }
      let number = TypedNumber(text, signs: signs, isAmount: field != .quantity)
      guard number.isNumber, !number.isDoubtful, let wanted = FixedDecimal(plain: number.text)
      else { return (field, [:]) }
      if wanted != value { changed[field] = wanted }
    }
    return (nil, changed)
  }
}

/// The form that amends an open order in its row.
struct AmendForm: View {
  let trading: TradingStore
  let row: OrderRowState
  let words: OrderWords
  /// The ticket's market if it is the order's; nil for another.
  let market: TicketMarket?
  let close: () -> Void
  @State private var draft: AmendDraft
  @State private var fault: (field: AmendDraft.Field?, text: String)?
  @State private var isSent = false
  @FocusState private var focus: AmendDraft.Field?

  init(
    trading: TradingStore, row: OrderRowState, words: OrderWords, market: TicketMarket?,
    close: @escaping () -> Void
  ) {
    (self.trading, self.row, self.words, self.market) = (trading, row, words, market)
    self.close = close
    draft = AmendDraft(row, signs: NumberSigns(words.locale, currency: row.currency ?? ""))
  }

  var body: some View {
    VStack(alignment: .leading, spacing: 8) {
      ForEach(AmendDraft.Field.allCases.filter { draft.typed[$0] != nil }, id: \.self) { field in
        HStack {
          Text(words.locale.text(name(field))).accessibilityHidden(true)
          TextField(words.locale.text(name(field)), text: $draft[field])
            .monospacedDigit()
            .multilineTextAlignment(.trailing)
            .typedAsNumber()
            .focused($focus, equals: field)
        }
        if let fault, fault.field == field {
          Label(fault.text, systemImage: "exclamationmark.triangle").font(.footnote)
        }
      }
      if let fault, fault.field == nil { Text(fault.text).font(.footnote) }
      if let crossing { Text(crossing).font(.footnote) }
      HStack {
        Button(isSent ? "Saving…" : "Save") { save() }
          .buttonStyle(.borderedProminent)
          .tint(Palette.fill(row.side))
          .disabled(isSent || trading.orders.failure != nil)
        Spacer()
        Button("Discard") { close() }.buttonStyle(.borderless)
      }
    }
    .onChange(of: draft) { fault = nil }
    .toolbar { KeyboardDone(focus: $focus) }
  }

  private var signs: NumberSigns { NumberSigns(words.locale, currency: row.currency ?? "") }

  private func name(_ field: AmendDraft.Field) -> Sentence {
    switch field {
    case .quantity: "Quantity"
    case .price: "Limit price"
    case .trigger:
      row.trigger?.trailPercent != nil
        ? "Trails by (%)" : row.trigger?.trail != nil ? "Trails by" : "Trigger"
    }
  }

  /// What saving would trade at once; nil if it would rest or wait.
  private var crossing: String? {
    let (wrong, change) = draft.change(of: row, signs: signs)
    guard wrong == nil, !change.isEmpty, AmendDraft.values(of: row)[.trigger] == nil,
      let limit = change[.price] ?? row.limit,
      let crossing = Crossing(
        row.side, limit: limit, quantity: change[.quantity] ?? row.quantity, filled: row.filled,
        best: market?.opposite(of: row.side))
    else { return nil }
    let now = words.written(crossing.words(words.market(row.symbol))) + "."
    return [now, crossing.restWords.map { words.written($0) }].compactMap(\.self)
      .joined(separator: " ")
  }

  private func save() {
    let (wrong, change) = draft.change(of: row, signs: signs)
    if let wrong {
      let text: Sentence =
        wrong == .quantity
        ? "The quantity must be a number in plain digits."
        : "The price must be a number in plain digits."
      fault = (wrong, words.locale.text(text))
      return
    }
    guard !change.isEmpty, let client = ClientOrderIdentifier("phone-" + UUID().uuidString) else {
      return close()
    }
    isSent = true
    let ticket = AmendTicket(
      clientIdentifier: client, order: row.id, quantity: change[.quantity]?.description,
      price: change[.price]?.description, trigger: change[.trigger]?.description)
    Task {
      let refusal = await trading.amend(ticket)
      isSent = false
      guard let refusal else { return close() }
      fault = (AmendDraft.Field(refusal.field), words.sentence(refusal.message, in: row.symbol))
    }
  }
}

extension AmendDraft.Field {
  fileprivate init?(_ field: TicketProblem.Field?) {
    switch field {
    case .quantity?: self = .quantity
    case .price?: self = .price
    case .trigger?: self = .trigger
    case .profit?, nil: return nil
    }
  }
}
