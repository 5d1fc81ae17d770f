import AppState
import Foundation
import MarketModel
import PhoneStores

struct FigureText: Equatable, Identifiable {
  /// "High".
  let id: String
  /// Its name with its window: "24 h high".
  let name: String
  let text: String
  let spoken: String
}

/// Formats an instrument's day figures, each with its window; unknown figures are left out.
@MainActor struct FigureTexts {
  /// From this age on, figures show their age.
  static let oldMilliseconds: Int64 = 60_000

  let numbers: NumberTexts
  let locale: Locale
  let zone: TimeZone
  let now: Timestamp
  let price: (FixedDecimal) -> String
  /// The unit of volumes, where it has to be shown.
  var unit: Sentence = ""

  /// The change in numbers and percent, as far as available; nil without either.
  func change(_ state: FiguresState) -> FigureText? {
    guard let figures = state.figures else { return nil }
    let share = state.changePercent.map { numbers.signedPercent($0, locale: locale) }
    let size = figures.change.map { numbers.signed($0, like: figures.last, locale: locale) }
    guard let text = size.map({ $0 + (share.map { " (\($0))" } ?? "") }) ?? share else {
      return nil
    }
    return figure("Change", figures, text, spoken: spoken(text, state.movement))
  }

  /// High, low, volume and VWAP, as far as available.
  func range(_ state: FiguresState) -> [FigureText] {
    guard let figures = state.figures else { return [] }
    return [
      figures.high.map { figure("High", figures, price($0)) },
      figures.low.map { figure("Low", figures, price($0)) },
      figures.volume.map { volume($0, figures) },
      figures.vwap.map { figure("VWAP", figures, price($0)) },
    ].compactMap(\.self)
  }

  /// The percentage, or else the change, with its window.
  func share(_ state: FiguresState) -> (text: String, window: String, spoken: String)? {
    guard let figures = state.figures,
      let text = state.changePercent.map({ numbers.signedPercent($0, locale: locale) })
        ?? figures.change.map({ numbers.signed($0, like: figures.last, locale: locale) })
    else { return nil }
    let window = WindowText.words(figures.window, utcOffset: offset, at: now)
    return (text, locale.text(window), spoken(text, state.movement))
  }

  private func spoken(_ change: String, _ movement: Direction) -> String {
    movement == .unchanged ? change : locale.text(movement.word) + " " + change
  }

  /// The age of figures that are not live or not recent; nil otherwise.
  ///
  /// A live source may have old figures: the age counts from the figures' own time.
  func age(_ state: FiguresState, at now: ClockReading) -> Sentence? {
    guard state.figures != nil else { return nil }
    let freshness = state.freshness
    if freshness.state == .live {
      return state.valueTime.flatMap {
        now.monotonic.milliseconds(since: $0.monotonic) > FigureTexts.oldMilliseconds
          ? AgeText.since($0, at: now) : nil
      }
    }
    let confirmed = freshness.confirmedAt.map { state.valueTime ?? $0 }
    return FreshnessText.words(
      Freshness(state: freshness.state, origin: .venue, confirmedAt: confirmed), at: now)
  }

  private var offset: Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(now.milliseconds) / 1000))
  }

  private func volume(_ volume: FixedDecimal, _ figures: DayFigures) -> FigureText {
    let (text, full) = numbers.quantity(volume, locale: locale)
    let unit = locale.text(unit)
    let counts = unit.isEmpty ? "" : " \(unit)"
    return figure("Volume", figures, text + counts, spoken: (full ?? text) + counts)
  }

  private func figure(
    _ name: Sentence, _ figures: DayFigures, _ text: String, spoken: String? = nil
  ) -> FigureText {
    FigureText(
      id: name.key,
      name: locale.text(WindowText.name(name, of: figures.window, utcOffset: offset, at: now)),
      text: text, spoken: spoken ?? text)
  }
}
