// The UIKit watch list as an app: where the process begins. What it does lives in StocksApp.

import UIKit

/// The process; its only scene is described in Info.plist.
@main final class AppDelegate: UIResponder, UIApplicationDelegate {}
