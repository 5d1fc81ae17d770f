import AppState
import Foundation
import PhoneStores
import SwiftUI

/// PT5: a NavigationStack with two destinations, the feed and a stock's details.
struct TrackerTab: View {
  private let feeds: FeedClient
  @ObservedObject private var router: Router
  @StateObject private var store: FeedStore

  init(feeds: FeedClient, router: Router) {
    (self.feeds, self.router) = (feeds, router)
    _store = StateObject(wrappedValue: FeedStore(feeds: feeds))
  }

  var body: some View {
    NavigationStack(path: $router.tracker) {
      FeedView(store: store)
        .navigationDestination(for: Route.self) { route in
          if case .symbol(let symbol) = route {
            // Gives another stock a new screen, also when it replaces this one.
            SymbolView(symbol: symbol, feeds: feeds).id(symbol)
          }
        }
    }
    // Open with the whole tab: the details on top share the list's connection (PT6).
    .whileInSight(open: store.open, close: store.close)
  }
}
