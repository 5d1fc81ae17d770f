// WL4, PD3: prices for people, in the reader's locale. One formatter per instrument, made once:
// making one costs forty times as much as using it.

public import Foundation
public import MarketModel

/// Formats the prices of one instrument as amounts of its currency.
///
/// Not to be shared between threads; a face keeps one per instrument on its main thread.
public final class PriceFormatter {
  private let formatter = NumberFormatter()
  private let decimals: Scale

  /// Makes a formatter for a currency (ISO 4217) at fixed decimals, so that widths do not jump.
  public init(currency: String, decimals: Scale, locale: Locale = .current) {
    self.decimals = decimals
    formatter.locale = locale
    formatter.numberStyle = .currency
    formatter.currencyCode = currency
    formatter.minimumFractionDigits = Int(decimals.digits)
    formatter.maximumFractionDigits = Int(decimals.digits)
    formatter.roundingMode = .halfEven
    // Linux groups Indian numbers in threes throughout; their readers expect 12,34,567.
    if locale.region == .india { formatter.secondaryGroupingSize = 2 }
  }

  /// The price as text: "€ 1.234,50" for a Dutch reader.
  public func string(from price: FixedDecimal) -> String {
    let shown = price.rounded(to: decimals) ?? price
    guard shown.survivesFormatting else { return "\(shown) \(formatter.currencyCode ?? "")" }
    return formatter.string(from: shown.decimal as NSDecimalNumber) ?? price.description
  }
}

extension FixedDecimal {
  /// Whether NumberFormatter shows every digit: on Linux it goes through a binary float, which
  /// holds 15 digits.
  ///
  /// Larger numbers are shown plainly rather than wrongly.
  var survivesFormatting: Bool { units.magnitude < 1_000_000_000_000_000 }

  /// The same value as Foundation's decimal, exactly; for formatting only.
  var decimal: Decimal {
    Decimal(
      sign: units < 0 ? .minus : .plus, exponent: -Int(scale.digits),
      significand: Decimal(units.magnitude))
  }
}
