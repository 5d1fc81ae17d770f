package import FeedConnections
package import MarketModel
package import PhoneStores

/// Preferences in memory.
@MainActor package final class MemoryPreferences: Preferences {
  package var theme = Theme.system
  package var reviewsOrders = true
  package var measuresLatency = true
  package var totalCurrency: String?
  package var markets: MarketChoice?
  package var favourites: Set<InstrumentKey> = []

  package init() {}
}
