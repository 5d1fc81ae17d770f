// Numbers for people, in the reader's locale. Formatters are dear to make and cheap to use, so each
// is made once.

import AppState
import Foundation
import MarketModel

/// Formats the app's numbers; keeps its formatters.
@MainActor final class NumberTexts {
  private struct PriceKey: Hashable {
    let currency: String
    let decimals: Scale
    let locale: String
  }

  private var prices: [PriceKey: PriceFormatter] = [:]
  private var amounts: [String: AmountFormatter] = [:]
  private var percents: [String: PercentFormatter] = [:]
  private var times: [String: DateFormatter] = [:]

  /// An amount of a currency at fixed decimals; a dash where there is none.
  func price(
    _ price: FixedDecimal?, currency: String, decimals: Scale, locale: Locale
  ) -> String {
    guard let price else { return "–" }
    let key = PriceKey(currency: currency, decimals: decimals, locale: locale.identifier)
    let formatter =
      prices[key] ?? PriceFormatter(currency: currency, decimals: decimals, locale: locale)
    prices[key] = formatter
    return formatter.string(from: price)
  }

  /// A number with all the digits of its scale.
  func amount(_ amount: FixedDecimal, locale: Locale) -> String {
    let formatter = amounts[locale.identifier] ?? AmountFormatter(locale: locale)
    amounts[locale.identifier] = formatter
    return formatter.string(from: amount)
  }

  /// A percentage with its sign.
  func percent(_ percent: FixedDecimal, locale: Locale) -> String {
    let formatter = percents[locale.identifier] ?? PercentFormatter(locale: locale)
    percents[locale.identifier] = formatter
    return formatter.string(from: percent)
  }

  /// How a time is written.
  enum TimePattern: String {
    /// "14:07:09".
    case second = "HH:mm:ss"
    /// "14:07".
    case minute = "HH:mm"
    /// "3 Mar", in the reader's order.
    case date = "dMMM"
    /// "3 Mar 14:07:09", in the reader's order.
    case moment = "dMMM HH:mm:ss"
    /// "3 Mar 14:07", in the reader's order.
    case momentToTheMinute = "dMMM HH:mm"
  }

  /// The time of day, to the second: "14:07:09" (OB5).
  func time(_ time: Timestamp, zone: TimeZone) -> String {
    self.time(time, .second, zone: zone, locale: NumberTexts.plain)
  }

  /// A time as a pattern says; times of day read the same everywhere, dates as the reader has them.
  func time(
    _ time: Timestamp, _ pattern: TimePattern, zone: TimeZone, locale: Locale
  ) -> String {
    let key = "\(pattern) \(zone.identifier) \(locale.identifier)"
    let formatter = times[key] ?? NumberTexts.formatter(pattern, zone, locale)
    times[key] = formatter
    let seconds = Double(time.milliseconds) / 1000
    return formatter.string(from: Date(timeIntervalSince1970: seconds))
  }

  private static let plain = Locale(identifier: "en_US_POSIX")

  private static func formatter(
    _ pattern: TimePattern, _ zone: TimeZone, _ locale: Locale
  ) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.timeZone = zone
    switch pattern {
    case .second, .minute:
      formatter.locale = plain
      formatter.dateFormat = pattern.rawValue
    case .date, .moment, .momentToTheMinute:
      formatter.locale = locale
      formatter.setLocalizedDateFormatFromTemplate(pattern.rawValue)
    }
    return formatter
  }
}
