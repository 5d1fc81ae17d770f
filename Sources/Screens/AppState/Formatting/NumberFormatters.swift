public import Foundation
public import MarketModel

/// Formats percentages with an explicit sign (PD3): "+2,94 %" in German.
///
/// Not thread-safe.
public final class PercentFormatter {
  private let formatter = NumberFormatter()

  /// Creates a formatter with two decimals.
  public init(locale: Locale = .current) {
    formatter.locale = locale
    formatter.numberStyle = .percent
    // The values are already percentages.
    formatter.multiplier = 1
    formatter.minimumFractionDigits = 2
    formatter.maximumFractionDigits = 2
    formatter.positivePrefix = formatter.plusSign + formatter.positivePrefix
    if locale.region == .india { formatter.secondaryGroupingSize = 2 }
  }

  /// The percentage as text; zero has no sign.
  public func string(from percent: FixedDecimal) -> String {
    guard percent.survivesFormatting else { return "\(percent) %" }
    let text = formatter.string(from: percent.decimal as NSDecimalNumber) ?? percent.description
    guard percent.units == 0, let sign = text.firstRange(of: formatter.plusSign ?? "+") else {
      return text
    }
    return text.replacingCharacters(in: sign, with: "")
  }
}

/// Formats sizes and prices without currency, in the locale's grouping (OB3).
///
/// Not thread-safe.
public final class AmountFormatter {
  private let locale: Locale
  /// One per scale: changing a formatter's digits discards its prepared state.
  private var formatters: [Scale: NumberFormatter] = [:]

  /// Creates a formatter.
  public init(locale: Locale = .current) { self.locale = locale }

  /// The amount with all digits of its scale, which keeps columns aligned.
  public func string(from amount: FixedDecimal) -> String {
    guard amount.survivesFormatting else { return amount.description }
    return formatter(amount.scale).string(from: amount.decimal as NSDecimalNumber)
      ?? amount.description
  }

  private func formatter(_ scale: Scale) -> NumberFormatter {
    if let known = formatters[scale] { return known }
    let formatter = NumberFormatter()
    formatter.locale = locale
    formatter.numberStyle = .decimal
    if locale.region == .india { formatter.secondaryGroupingSize = 2 }
    formatter.minimumFractionDigits = Int(scale.digits)
    formatter.maximumFractionDigits = Int(scale.digits)
    formatters[scale] = formatter
    return formatter
  }
}
