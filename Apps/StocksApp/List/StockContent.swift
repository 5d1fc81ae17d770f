// What a row shows, as a value: words only. A cell takes it as its content configuration, so equal
// values change nothing and different ones change labels in place.

#if canImport(UIKit)
  import AppState
  import Foundation
  import MarketModel
  import UIKit

  /// A row in words.
  struct StockContent: UIContentConfiguration, Equatable {
    /// The company's short name.
    var name: String
    /// The price in the reader's currency style; a dash before the first.
    var price: String
    /// Whether the price can be believed, in words, with its age where it can't.
    var freshness: String
    /// Whether the price may be wrong by now.
    var isDimmed: Bool

    /// Puts a row in words.
    @MainActor init(
      _ row: WatchListRow, _ state: WatchRowState, prices: PriceTexts, at now: ClockReading
    ) {
      name = row.name
      price = state.price.map { prices.text(of: $0, in: row) } ?? "–"
      freshness = FreshnessText.words(state.freshness, at: now)
      isDimmed = state.freshness.state.isDimmed
    }

    /// The row as one sentence for assistive technology.
    var sentence: String {
      price == "–" ? "\(name), no price yet, \(freshness)" : "\(name), \(price), \(freshness)"
    }

    func makeContentView() -> any UIView & UIContentView { StockContentView(self) }

    func updated(for state: any UIConfigurationState) -> StockContent { self }
  }
#endif
