public import Foundation
public import MarketModel

/// Formats the prices of one instrument as amounts of its currency (WL4, PD3).
///
/// Not thread-safe; keep one per instrument on the main thread. Creating one costs forty times as
/// much as a use.
public final class PriceFormatter {
  private let formatter = NumberFormatter()
  private let decimals: Scale

  /// Creates a formatter for a currency (ISO 4217) with fixed decimals, so widths do not change.
  public init(currency: String, decimals: Scale, locale: Locale = .current) {
    self.decimals = decimals
    formatter.locale = locale
    formatter.numberStyle = .currency
    formatter.currencyCode = currency
    formatter.minimumFractionDigits = Int(decimals.digits)
    formatter.maximumFractionDigits = Int(decimals.digits)
    formatter.roundingMode = .halfEven
    // On Linux, Indian numbers are grouped in threes; readers expect 12,34,567.
    if locale.region == .india { formatter.secondaryGroupingSize = 2 }
  }

  /// The price as text: "€ 1.234,50" in Dutch.
  public func string(from price: FixedDecimal) -> String {
    let shown = price.rounded(to: decimals) ?? price
    guard shown.survivesFormatting else { return "\(shown) \(formatter.currencyCode ?? "")" }
    return formatter.string(from: shown.decimal as NSDecimalNumber) ?? price.description
  }
}

extension FixedDecimal {
  /// Whether NumberFormatter shows every digit: on Linux it uses a binary float with 15 digits.
  ///
  /// Larger numbers are shown unformatted.
  var survivesFormatting: Bool { units.magnitude < 1_000_000_000_000_000 }

  var decimal: Decimal {
    Decimal(
      sign: units < 0 ? .minus : .plus, exponent: -Int(scale.digits),
      significand: Decimal(units.magnitude))
  }
}
