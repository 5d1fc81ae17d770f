import AppState
import FeedConnections
import Foundation
import MarketModel
import PhoneStores
import PriceAlerts
import SwiftUI
import TicketModel
import VenueCatalogue

/// The alerts of all markets, and a field for a new one in this market.
struct AlertsView: View {
  let market: InstrumentKey
  @ObservedObject var store: AlertStore
  @State private var edited: PriceAlert?
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var timeZone
  @Environment(\.dismiss) private var dismiss

  var body: some View {
    NavigationStack {
      List {
        Section(locale.text("New alert for \(market.symbol)")) {
          AlertForm(market: market, edited: nil, store: store) {}
        }
        Section(locale.text("Alerts (\(store.book.alerts.count))")) {
          if store.book.alerts.isEmpty { Text("No alerts.").foregroundStyle(.secondary) }
          ForEach(store.book.alerts) { alert in
            row(alert)
            if edited?.id == alert.id {
              AlertForm(market: alert.instrument, edited: alert, store: store) { edited = nil }
            }
          }
          if let problem = store.problem { Text(locale.text(problem)).font(.footnote) }
        }
        if !store.book.firings.isEmpty {
          Section("Fired") {
            ForEach(store.book.firings.suffix(20).reversed()) { firing in
              VStack(alignment: .leading, spacing: 2) {
                Text(firing.title)
                Text(locale.text(firing.text(number)) + " " + moment(firing.at))
                  .font(.footnote)
                  .monospacedDigit()
              }
            }
          }
        }
      }
      .rowsInGroups()
      .textCase(nil)
      .navigationTitle("Price alerts")
      .smallTitle()
      .toolbar {
        ToolbarItem(placement: .barStart) { Button("Close") { dismiss() } }
      }
    }
    .presentationDetents([.medium, .large])
    .onChange(of: store.unread, initial: true) { _, _ in store.markRead() }
  }

  private func row(_ alert: PriceAlert) -> some View {
    // Below each other: three verbs beside a name would leave the cell.
    VStack(alignment: .leading, spacing: 8) {
      VStack(alignment: .leading, spacing: 2) {
        Text(name(alert)).monospacedDigit()
        Text(status(alert)).font(.footnote).foregroundStyle(.secondary)
      }
      .accessibilityElement(children: .combine)
      HStack(spacing: 20) {
        if !alert.isFollowed {
          action("Arm", "Arm the alert for \(name(alert))") {
            _ = store.perform(.arm(alert.id))
          }
        }
        action("Edit", "Edit the alert for \(name(alert))") {
          edited = edited?.id == alert.id ? nil : alert
        }
        action("Delete", "Delete the alert for \(name(alert))") {
          _ = store.perform(.remove(alert.id))
        }
      }
    }
  }

  private func action(
    _ name: Sentence, _ spoken: Sentence, _ perform: @escaping () -> Void
  ) -> some View {
    Button(locale.text(name)) { perform() }
      .buttonStyle(.borderless)
      .accessibilityLabel(locale.text(spoken))
  }

  /// "BTC/USD · Kraken at 65,000", "BTC/USD · Kraken: Fall of 5% within 15 min".
  private func name(_ alert: PriceAlert) -> String {
    let market = alert.instrument
    guard let text = alert.condition.text(number) else {
      let level = alert.condition.level.map(number) ?? ""
      return locale.text("\(market.symbol) · \(market.venue.displayName) at \(level)")
    }
    return "\(market.symbol) · \(market.venue.displayName): " + locale.text(text)
  }

  private func status(_ alert: PriceAlert) -> String {
    let fired: Sentence? = alert.firedAt.map { "fired \(moment($0))" }
    guard alert.isFollowed else { return locale.text(fired ?? "off") }
    let kind: Sentence = alert.repeats ? "repeats" : "fires once"
    return locale.text(Sentence(joining: [kind] + [fired].compactMap(\.self), by: " · "))
  }

  private func number(_ value: FixedDecimal) -> String {
    model.numbers.amount(value, locale: locale)
  }

  private func moment(_ time: Timestamp) -> String {
    model.numbers.time(time, .moment, zone: timeZone, locale: locale)
  }
}

/// What an alert waits for, as the form offers it.
private enum AlertChoice: CaseIterable {
  case price, rise, fall, spread, volume, book

  init(_ condition: AlertCondition) {
    self =
      switch condition {
      case .price: .price
      case .change(let percent, _): percent.units < 0 ? .fall : .rise
      case .spread: .spread
      case .volume: .volume
      case .invalidBook: .book
      }
  }

  var kind: AlertCondition.Kind {
    switch self {
    case .price: .price
    case .rise, .fall: .change
    case .spread: .spread
    case .volume: .volume
    case .book: .book
    }
  }

  var name: Sentence {
    switch self {
    case .price: "Price"
    case .rise: "Rise"
    case .fall: "Fall"
    case .spread: "Spread"
    case .volume: "Volume"
    case .book: "Invalid order book"
    }
  }

  /// The unit of the level.
  var unit: Sentence {
    switch self {
    case .rise, .fall: "Percent"
    case .spread: "Basis points"
    case .price, .volume, .book: name
    }
  }

  /// Seconds in the unit of the time.
  var timeUnit: Int64 { self == .book ? 1 : 60 }
}

/// A field of digits in the form.
private enum AlertField: Hashable {
  case level, time
}

/// The condition of a new alert, or of an edited one.
private struct AlertForm: View {
  let market: InstrumentKey
  let edited: PriceAlert?
  @ObservedObject var store: AlertStore
  let done: () -> Void
  @State private var choice = AlertChoice.price
  @State private var level = ""
  @State private var time = ""
  @State private var repeats = false
  @State private var problem: Sentence?
  @FocusState private var focus: AlertField?
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var timeZone

  var body: some View {
    Picker("Kind of the alert", selection: $choice) {
      ForEach(AlertChoice.allCases, id: \.self) { Text(locale.text($0.name)).tag($0) }
    }
    .onAppear { begin() }
    .toolbar { KeyboardDone(focus: $focus) }
    .onChange(of: choice) { _, choice in
      if edited.map({ AlertChoice($0.condition) }) != choice { beginTime(choice) }
    }
    if choice.kind.hasLevel {
      TextField(levelName, text: $level)
        .monospacedDigit()
        .typedAsNumber()
        .focused($focus, equals: .level)
    }
    if choice.kind.seconds != nil {
      TextField(locale.text(choice == .book ? "Seconds" : "Minutes"), text: $time)
        .monospacedDigit()
        .typedAsNumber()
        .focused($focus, equals: .time)
    }
    if let rehearsal { Text(locale.text(rehearsal)).font(.footnote).foregroundStyle(.secondary) }
    Toggle(edited == nil ? "Repeat" : "Repeat the edited alert", isOn: $repeats)
    if let problem {
      Label(locale.text(problem), systemImage: "exclamationmark.triangle").font(.footnote)
    }
    Button(edited == nil ? "Add alert" : "Save alert") { save() }
      .disabled(choice.kind.hasLevel && level.isEmpty)
  }

  private var levelName: String {
    locale.text(edited != nil && choice == .price ? "New price" : choice.unit)
  }

  private func begin() {
    guard let edited else { return }
    let condition = edited.condition
    (choice, repeats) = (AlertChoice(condition), edited.repeats)
    let text = condition.level?.description ?? ""
    level = NumberSigns(locale, currency: "").typed(text.replacingOccurrences(of: "-", with: ""))
    time = condition.seconds.map { String($0 / choice.timeUnit) } ?? ""
  }

  private func beginTime(_ choice: AlertChoice) {
    (level, problem) = ("", nil)
    time = choice.kind.usualSeconds.map { String($0 / choice.timeUnit) } ?? ""
  }

  private var number: TypedNumber {
    TypedNumber(level, signs: NumberSigns(locale, currency: ""), isAmount: true)
  }

  /// How often the chart's candles crossed the typed price.
  private var rehearsal: Sentence? {
    guard choice == .price else { return nil }
    let (chart, number) = (model.charts.chart(market.venue, market.symbol), number)
    guard number.isNumber, !number.isDoubtful, let level = FixedDecimal(number.text),
      let found = chart?.crossings(of: level)
    else { return nil }
    let time = model.numbers.time(
      found.since, .momentToTheMinute, zone: timeZone, locale: locale)
    let count = model.numbers.amount(
      FixedDecimal(units: Int64(found.count), scale: .whole), locale: locale)
    return switch found.count {
    case 0: "No crossing seen since \(time)"
    case 1: "At least \(count) crossing since \(time)"
    default: "At least \(count) crossings since \(time)"
    }
  }

  private func save() {
    let (number, kind) = (number, choice.kind)
    var terms = AlertTerms(kind)
    if kind.hasLevel {
      guard number.isNumber, !number.isDoubtful else {
        problem = AlertProblem.bad(kind).sentence
        return
      }
      terms.level = choice == .fall ? "-" + number.text : number.text
    }
    // Another text than a number has no seconds, and is refused with its reason.
    if kind.seconds != nil {
      terms.seconds = Int64(time).map { min($0, 100_000) * choice.timeUnit }
    }
    let cooldown = repeats ? AlertBook.usualCooldown : 0
    let command: AlertCommand =
      edited.map { .edit($0.id, terms, repeats: repeats, cooldownSeconds: cooldown) }
      ?? .add(market, terms, repeats: repeats, cooldownSeconds: cooldown)
    problem = store.perform(command)?.sentence
    guard problem == nil else { return }
    (level, focus) = ("", nil)
    done()
  }
}
