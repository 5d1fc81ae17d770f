// WL4: prices by NumberFormatter in currency style. A formatter is dear to make and cheap to use,
// so there is one for each currency and number of decimals, made at first use.

import AppState
import Foundation
import MarketModel

/// Formats prices; keeps its formatters.
@MainActor final class PriceTexts {
  private struct Key: Hashable {
    let currency: String
    let decimals: Scale
  }

  private let locale: Locale
  private var formatters: [Key: PriceFormatter] = [:]

  /// How many formatters were made.
  var formatterCount: Int { formatters.count }

  init(locale: Locale) { self.locale = locale }

  /// The price as the row's instrument is written.
  func text(of price: FixedDecimal, in row: WatchListRow) -> String {
    let key = Key(currency: row.currency, decimals: row.decimals)
    let formatter =
      formatters[key]
      ?? PriceFormatter(currency: row.currency, decimals: row.decimals, locale: locale)
    formatters[key] = formatter
    return formatter.string(from: price)
  }
}
