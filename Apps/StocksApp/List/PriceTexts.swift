import AppState
import Foundation
import MarketModel

/// WL4: formats prices in currency style.
///
/// Formatters are expensive to create, so there is one for each currency and number of decimals,
/// created at first use.
@MainActor final class PriceTexts {
  private struct Key: Hashable {
    let currency: String
    let decimals: Scale
  }

  private let locale: Locale
  private var formatters: [Key: PriceFormatter] = [:]

  var formatterCount: Int { formatters.count }

  init(locale: Locale) { self.locale = locale }

  func text(of price: FixedDecimal, in row: WatchListRow) -> String {
    let key = Key(currency: row.currency, decimals: row.decimals)
    let formatter =
      formatters[key]
      ?? PriceFormatter(currency: row.currency, decimals: row.decimals, locale: locale)
    formatters[key] = formatter
    return formatter.string(from: price)
  }
}
