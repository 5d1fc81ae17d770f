import StocksApp
import UIKit

/// Shows the watch list in a window made in code and connects while the app is in the foreground.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?
  private let stocks = StocksApplication()

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
