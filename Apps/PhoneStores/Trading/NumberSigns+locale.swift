package import Foundation
package import TicketModel

extension NumberSigns {
  /// The number format of a locale, with the sign of a currency (ISO 4217).
  package init(_ locale: Locale, currency: String) {
    let formatter = NumberFormatter()
    formatter.locale = locale
    formatter.numberStyle = .decimal
    let digits = (0...9).compactMap { formatter.string(from: NSNumber(value: $0)) }.joined()
    let (decimal, group) = (formatter.decimalSeparator, formatter.groupingSeparator)
    formatter.numberStyle = .currency
    formatter.currencyCode = currency
    self.init(
      decimal: decimal ?? ".", group: group ?? "", digits: digits,
      currencies: [formatter.currencySymbol, currency].compactMap { $0 })
  }
}
