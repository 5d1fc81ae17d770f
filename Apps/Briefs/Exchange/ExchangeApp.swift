import PhoneApp
import SwiftUI

/// The one-stock exchange: chart, order ticket and order history.
@main struct ExchangeApp: App {
  var body: some Scene { LivetapeScene(.exchange) }
}
