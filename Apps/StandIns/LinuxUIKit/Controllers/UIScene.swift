public import Foundation

/// A scene.
@MainActor @preconcurrency open class UIScene: UIResponder {
  /// A scene's connection options.
  @MainActor @preconcurrency open class ConnectionOptions: NSObject {
    override init() { super.init() }
  }

  /// The scene's delegate.
  open var delegate: (any UISceneDelegate)?

  /// Called by the system only.
  override init() { super.init() }
}

/// A scene with windows.
@MainActor @preconcurrency open class UIWindowScene: UIScene {}

/// A scene session.
@MainActor @preconcurrency open class UISceneSession: NSObject {
  override init() { super.init() }
}

/// A scene's delegate.
@MainActor @preconcurrency public protocol UISceneDelegate: NSObjectProtocol {
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions)
  func sceneDidDisconnect(_ scene: UIScene)
  func sceneDidBecomeActive(_ scene: UIScene)
  func sceneWillResignActive(_ scene: UIScene)
  func sceneWillEnterForeground(_ scene: UIScene)
  func sceneDidEnterBackground(_ scene: UIScene)
}

extension UISceneDelegate {
  /// No effect by default.
  public func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {}
  /// No effect by default.
  public func sceneDidDisconnect(_ scene: UIScene) {}
  /// No effect by default.
  public func sceneDidBecomeActive(_ scene: UIScene) {}
  /// No effect by default.
  public func sceneWillResignActive(_ scene: UIScene) {}
  /// No effect by default.
  public func sceneWillEnterForeground(_ scene: UIScene) {}
  /// No effect by default.
  public func sceneDidEnterBackground(_ scene: UIScene) {}
}

/// A window scene's delegate.
@MainActor @preconcurrency public protocol UIWindowSceneDelegate: UISceneDelegate {
  var window: UIWindow? { get set }
}

/// A window.
@MainActor @preconcurrency open class UIWindow: UIView {
  /// The root view controller.
  open var rootViewController: UIViewController?
  /// Its scene.
  open weak var windowScene: UIWindowScene?

  /// Creates a window of a scene.
  public init(windowScene: UIWindowScene) {
    self.windowScene = windowScene
    super.init(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
  }

  /// Always nil: there are no storyboards here.
  public required init?(coder: NSCoder) { nil }

  /// Shows the window and makes it key.
  open func makeKeyAndVisible() {
    rootViewController?.loadViewIfNeeded()
    rootViewController?.viewWillAppear(false)
    rootViewController?.viewDidAppear(false)
  }
}
