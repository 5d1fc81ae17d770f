import AppState
import Foundation
import SwiftUI

/// PT5: a NavigationStack with two destinations, the feed and a stock's details.
struct TrackerTab: View {
  let feeds: FeedClient
  @ObservedObject var router: Router

  var body: some View {
    NavigationStack(path: $router.tracker) {
      FeedView(feeds: feeds)
        .navigationDestination(for: Route.self) { route in
          if case .symbol(let symbol) = route {
            // Gives another stock a new screen, also when it replaces this one.
            SymbolView(symbol: symbol, feeds: feeds).id(symbol)
          }
        }
    }
  }
}
