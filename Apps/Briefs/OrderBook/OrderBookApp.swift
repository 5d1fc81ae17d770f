import PhoneApp
import SwiftUI

/// An order book and the latest trades.
@main struct OrderBookApp: App {
  var body: some Scene { LivetapeScene(.orderBook) }
}
