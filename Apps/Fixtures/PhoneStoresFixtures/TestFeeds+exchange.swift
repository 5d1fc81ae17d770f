import AppState
import Foundation
package import MarketModel
import VenueCatalogue

extension TestFeeds {
  /// The stream of the listed stock.
  package var exchangeKey: MarketKey { MarketKey(.exchange, .quote, ExchangeCatalogue.symbol) }

  /// A tick of the exchange, as an event and as the newest value: "price × quantity" on both sides.
  package func tick(
    _ number: UInt64, last: String = "101.00", bid: (String, Int64) = ("100.50", 80),
    ask: (String, Int64) = ("101.50", 60), _ direction: Direction = .unchanged
  ) throws {
    let key = exchangeKey
    let (buy, sell) = (try decimal(bid.0), try decimal(ask.0))
    let (buySize, sellSize) = (Quantity(units: bid.1), Quantity(units: ask.1))
    let tick = MarketTick(
      time: number, last: try decimal(last), bid: buy, bidQuantity: buySize, ask: sell,
      askQuantity: sellSize)
    happen(key, .tick(tick, number: number))
    send(
      key,
      .quote(
        QuoteView(
          symbol: key.subscription.symbol, price: try decimal(last), bid: buy, ask: sell,
          bidSize: buySize, askSize: sellSize, direction: direction, changes: number,
          freshness: fresh(.live))))
  }

  /// Sets the freshness of the exchange's price.
  package func exchange(is state: FreshnessState) throws {
    let key = exchangeKey
    send(
      key,
      .quote(
        QuoteView(
          symbol: key.subscription.symbol, price: try decimal("101.00"),
          bid: try decimal("100.50"), ask: try decimal("101.50"), bidSize: Quantity(units: 80),
          askSize: Quantity(units: 60), freshness: fresh(state))))
  }
}

/// A temporary folder for a ledger, deleted with the test.
package final class LedgerFolder {
  package let path: String

  package init() {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("livetape-phone-\(UUID().uuidString)").path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
