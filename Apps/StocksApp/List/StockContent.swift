#if canImport(UIKit)
  import AppState
  import Foundation
  import MarketModel
  import UIKit

  /// A row's texts, as a cell's content configuration: equal values change nothing, different ones
  /// change labels in place.
  struct StockContent: UIContentConfiguration, Equatable {
    var name: String
    /// The price in the locale's currency style; a dash before the first.
    var price: String
    /// The price's freshness in words, with its age while it is not live.
    var freshness: String
    /// Whether the price may be wrong by now.
    var isDimmed: Bool

    @MainActor init(
      _ row: WatchListRow, _ state: WatchRowState, prices: PriceTexts, at now: ClockReading
    ) {
      name = row.name
      price = state.price.map { prices.text(of: $0, in: row) } ?? "–"
      freshness = Locale.current.text(FreshnessText.words(state.freshness, at: now))
      isDimmed = state.freshness.state.isDimmed
    }

    @MainActor var sentence: String {
      Locale.current.text(
        price == "–" ? "\(name), no price yet, \(freshness)" : "\(name), \(price), \(freshness)")
    }

    func makeContentView() -> any UIView & UIContentView { StockContentView(self) }

    func updated(for state: any UIConfigurationState) -> StockContent { self }
  }
#endif
