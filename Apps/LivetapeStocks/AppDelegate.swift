import UIKit

/// The entry point; its only scene is described in Info.plist, everything else is in StocksApp.
@main final class AppDelegate: UIResponder, UIApplicationDelegate {}
