// The one window of the watch list, made in code: there is no storyboard.

import Foundation
import StocksApp
import UIKit

/// Shows the watch list and tells it when the app comes and goes.
///
/// `-server http://host:port` among the launch arguments, or `server` among the stored settings,
/// makes it use the simulated price stream there.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?
  private let stocks = StocksApplication(server: UserDefaults.standard.string(forKey: "server"))

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let windowScene = scene as? UIWindowScene else { return }
    let window = UIWindow(windowScene: windowScene)
    window.rootViewController = stocks.rootViewController
    window.makeKeyAndVisible()
    self.window = window
  }

  func sceneWillEnterForeground(_ scene: UIScene) { stocks.enterForeground() }

  func sceneDidEnterBackground(_ scene: UIScene) { stocks.enterBackground() }
}
