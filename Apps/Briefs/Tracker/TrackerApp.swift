import PhoneApp
import SwiftUI

/// The price tracker.
@main struct TrackerApp: App {
  var body: some Scene { LivetapeScene(.tracker) }
}
