// PT5: a NavigationStack with two destinations, the feed and a stock's details.

import AppState
import Foundation
import SwiftUI

/// The price tracker.
struct TrackerTab: View {
  let feeds: FeedClient
  @ObservedObject var router: Router

  var body: some View {
    NavigationStack(path: $router.tracker) {
      FeedView(feeds: feeds)
        .navigationDestination(for: Route.self) { route in
          if case .symbol(let symbol) = route {
            // Another stock is another screen, also where it takes the place of this one.
            SymbolView(symbol: symbol, feeds: feeds).id(symbol)
          }
        }
    }
  }
}
