// The figures of a day in words: each under the window that it is of; what is not known is left
// out.

import AppState
import Foundation
import MarketModel

/// One figure as it is written and spoken.
struct FigureText: Equatable, Identifiable {
  /// Which figure it is: "High".
  let id: String
  /// Its name with its window: "24 h high".
  let name: String
  /// The number.
  let text: String
  /// What a screen reader says for it.
  let spoken: String
}

/// Writes the figures of an instrument's day for a reader.
@MainActor struct FigureTexts {
  /// From this age on it is said how old figures are.
  static let oldMilliseconds: Int64 = 60_000

  let numbers: NumberTexts
  let locale: Locale
  let zone: TimeZone
  let now: Timestamp
  /// How the instrument's prices are written.
  let price: (FixedDecimal) -> String
  /// What volumes count, where that needs saying.
  var unit = ""

  /// The change, in numbers and percent as far as known; nil where none is.
  func change(_ state: FiguresState) -> FigureText? {
    guard let figures = state.figures else { return nil }
    let share = state.changePercent.map { numbers.signedPercent($0, locale: locale) }
    let size = figures.change.map { numbers.signed($0, like: figures.last, locale: locale) }
    guard let text = size.map({ $0 + (share.map { " (\($0))" } ?? "") }) ?? share else {
      return nil
    }
    let direction = state.movement == .unchanged ? "" : state.movement.word + " "
    return figure("Change", figures, text, spoken: direction + text)
  }

  /// High, low, volume and VWAP, those that are known.
  func range(_ state: FiguresState) -> [FigureText] {
    guard let figures = state.figures else { return [] }
    return [
      figures.high.map { figure("High", figures, price($0)) },
      figures.low.map { figure("Low", figures, price($0)) },
      figures.volume.map { volume($0, figures) },
      figures.vwap.map { figure("VWAP", figures, price($0)) },
    ].compactMap(\.self)
  }

  /// A change in short: the percentage, else the change itself, with its window beside it.
  func share(_ state: FiguresState) -> (text: String, window: String, spoken: String)? {
    guard let figures = state.figures,
      let text = state.changePercent.map({ numbers.signedPercent($0, locale: locale) })
        ?? figures.change.map({ numbers.signed($0, like: figures.last, locale: locale) })
    else { return nil }
    let direction = state.movement == .unchanged ? "" : state.movement.word + " "
    let window = WindowText.words(figures.window, utcOffset: offset, at: now)
    return (text, window, direction + text)
  }

  /// How old figures are that are not live, or not young; nil for those that are both.
  ///
  /// A source may be alive and its figures old all the same. Ages count from the figures' own time.
  func age(_ state: FiguresState, at now: ClockReading) -> String? {
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
    let counts = unit.isEmpty ? "" : " \(unit)"
    return figure("Volume", figures, text + counts, spoken: (full ?? text) + counts)
  }

  private func figure(
    _ name: String, _ figures: DayFigures, _ text: String, spoken: String? = nil
  ) -> FigureText {
    FigureText(
      id: name, name: WindowText.name(name, of: figures.window, utcOffset: offset, at: now),
      text: text, spoken: spoken ?? text)
  }
}
