import AppState
package import Foundation
package import MarketModel

/// Formats the app's numbers in the user's locale; caches its formatters, which are expensive to
/// create.
@MainActor package final class NumberTexts {
  private struct PriceKey: Hashable {
    let currency: String
    let decimals: Scale
    let locale: String
  }

  private var prices: [PriceKey: PriceFormatter] = [:]
  private var amounts: [String: AmountFormatter] = [:]
  private var percents: [String: PercentFormatter] = [:]
  private var times: [String: DateFormatter] = [:]

  /// An amount of a currency at fixed decimals; a dash for nil.
  package func price(
    _ price: FixedDecimal?, currency: String, decimals: Scale, locale: Locale
  ) -> String {
    guard let price else { return "–" }
    let key = PriceKey(currency: currency, decimals: decimals, locale: locale.identifier)
    let formatter =
      prices[key] ?? PriceFormatter(currency: currency, decimals: decimals, locale: locale)
    prices[key] = formatter
    return formatter.string(from: price)
  }

  package func amount(_ amount: FixedDecimal, locale: Locale) -> String {
    let formatter = amounts[locale.identifier] ?? AmountFormatter(locale: locale)
    amounts[locale.identifier] = formatter
    return formatter.string(from: amount)
  }

  package func percent(_ percent: FixedDecimal, locale: Locale) -> String {
    let formatter = percents[locale.identifier] ?? PercentFormatter(locale: locale)
    percents[locale.identifier] = formatter
    return formatter.string(from: percent)
  }

  package enum TimePattern: String {
    /// "14:07:09".
    case second = "HH:mm:ss"
    /// "14:07".
    case minute = "HH:mm"
    /// "3 Mar", in the locale's order.
    case date = "dMMM"
    /// "3 Mar 14:07:09", in the locale's order.
    case moment = "dMMM HH:mm:ss"
    /// "3 Mar 14:07", in the locale's order.
    case momentToTheMinute = "dMMM HH:mm"

    /// The time of day, or the date for steps of a day or more.
    package init(step: Int64) {
      let isDate = step >= CandleInterval.day.milliseconds
      self = isDate ? .date : step < 60_000 ? .second : .minute
    }
  }

  /// The time of day, to the second: "14:07:09" (OB5).
  package func time(_ time: Timestamp, zone: TimeZone) -> String {
    self.time(time, .second, zone: zone, locale: NumberTexts.plain)
  }

  /// Formats a time by a pattern; times of day are the same in every locale, dates follow it.
  package func time(
    _ time: Timestamp, _ pattern: TimePattern, zone: TimeZone, locale: Locale
  ) -> String {
    let key = "\(pattern) \(zone.identifier) \(locale.identifier)"
    let formatter = times[key] ?? NumberTexts.formatter(pattern, zone, locale)
    times[key] = formatter
    let seconds = Double(time.milliseconds) / 1000
    return formatter.string(from: Date(timeIntervalSince1970: seconds))
  }

  nonisolated private static let plain = Locale(identifier: "en_US_POSIX")

  package nonisolated static func formatter(
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

// MARK: - Figures of a day

extension NumberTexts {
  /// Quantities of more characters than these are abbreviated; as on the page.
  private static let longestQuantity = 9

  /// A change with its sign, in the decimals of a price, or more if it has more.
  package func signed(_ change: FixedDecimal, like price: FixedDecimal?, locale: Locale) -> String {
    let scale = max(change.scale, price?.scale ?? change.scale)
    let shown = change.exactly(at: scale) ?? change
    guard shown.units != 0, shown.units != .min else { return amount(shown, locale: locale) }
    let size = FixedDecimal(units: abs(shown.units), scale: shown.scale)
    return (shown.units > 0 ? "+" : "−") + amount(size, locale: locale)
  }

  /// A percentage with its sign; a minus sign is as wide as a plus sign, a hyphen is not.
  package func signedPercent(_ percent: FixedDecimal, locale: Locale) -> String {
    self.percent(percent, locale: locale).replacingOccurrences(of: "-", with: "−")
  }

  /// A quantity that fits, and in full where that is longer.
  package func quantity(_ quantity: FixedDecimal, locale: Locale) -> (text: String, full: String?) {
    let plain = quantity.trimmed
    let full = amount(plain, locale: locale)
    guard plain.description.count > NumberTexts.longestQuantity else { return (full, nil) }
    let short = ShortQuantity(plain)
    return (amount(short.number, locale: locale) + short.letter, full)
  }
}

/// A quantity in four significant digits: 45123456.789 as 45.12 and "M".
struct ShortQuantity: Equatable {
  /// Thousands, by index.
  private static let letters = ["", "k", "M", "B", "T"]
  private static let digits = 4

  let number: FixedDecimal
  let letter: String

  init(_ quantity: FixedDecimal) {
    var places = ShortQuantity.places(of: quantity)
    var power = ShortQuantity.power(places)
    var rounded = ShortQuantity.rounded(quantity, places, power)
    // A value that rounds up to a thousand takes the next letter.
    if ShortQuantity.places(of: rounded) > places - 3 * power {
      places += 1
      power = ShortQuantity.power(places)
      rounded = ShortQuantity.rounded(quantity, places, power)
    }
    (number, letter) = (rounded, ShortQuantity.letters[power])
  }

  /// Digits before the decimal point; negative for zeros after it.
  private static func places(of number: FixedDecimal) -> Int {
    number.units == 0 ? 1 : String(number.units.magnitude).utf8.count - Int(number.scale.digits)
  }

  private static func power(_ places: Int) -> Int {
    min(letters.count - 1, max(0, places - 1) / 3)
  }

  private static func rounded(
    _ quantity: FixedDecimal, _ places: Int, _ power: Int
  ) -> FixedDecimal {
    guard let scale = Scale(digits: Int(quantity.scale.digits) + 3 * power),
      let wanted = Scale(digits: max(0, digits - places + 3 * power))
    else { return quantity }
    let thousands = FixedDecimal(units: quantity.units, scale: scale)
    return thousands.rounded(to: wanted) ?? thousands
  }
}

extension Direction {
  /// The sign beside a price: never colour alone.
  package var arrow: String {
    switch self {
    case .up: "↑"
    case .down: "↓"
    case .unchanged: ""
    }
  }

  package var word: Sentence {
    switch self {
    case .up: "up"
    case .down: "down"
    case .unchanged: "unchanged"
    }
  }
}
