import Foundation
import PhoneApp
import SwiftUI

/// The app's entry point; everything else is in PhoneApp.
///
/// Launch argument or stored setting `-server http://host:port` uses that server's simulated
/// venues; `-exchange tcp://host:port` sets the exchange's tick feed.
@main struct LivetapeApp: App {
  var body: some Scene {
    LivetapeScene(
      server: UserDefaults.standard.string(forKey: "server"),
      exchange: UserDefaults.standard.string(forKey: "exchange"))
  }
}
