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

  /// The time of day, to the second: "14:07:09" (OB5).
  func time(_ time: Timestamp, zone: TimeZone) -> String {
    let formatter = times[zone.identifier] ?? NumberTexts.clock(zone)
    times[zone.identifier] = formatter
    let seconds = Double(time.milliseconds) / 1000
    return formatter.string(from: Date(timeIntervalSince1970: seconds))
  }

  private static func clock(_ zone: TimeZone) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = zone
    formatter.dateFormat = "HH:mm:ss"
    return formatter
  }
}
