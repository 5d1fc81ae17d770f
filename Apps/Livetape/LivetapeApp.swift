import PhoneApp
import SwiftUI

/// The app's entry point; everything else is in PhoneApp.
@main struct LivetapeApp: App {
  var body: some Scene {
    LivetapeScene()
  }
}
