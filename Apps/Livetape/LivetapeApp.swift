// The SwiftUI app as an app: where the process begins. What it does lives in PhoneApp.

import Foundation
import PhoneApp
import SwiftUI

/// The app; `-server http://host:port` among its launch arguments, or `server` among its stored
/// settings, makes it use the simulated venues there; `-exchange tcp://host:port` names the
/// exchange's tick feed.
@main struct LivetapeApp: App {
  var body: some Scene {
    LivetapeScene(
      server: UserDefaults.standard.string(forKey: "server"),
      exchange: UserDefaults.standard.string(forKey: "exchange"))
  }
}
