// Scenes, windows and who is told of them.

public import Foundation

/// A part of an app's screen.
@MainActor @preconcurrency open class UIScene: UIResponder {
  /// What a scene is made for.
  @MainActor @preconcurrency open class ConnectionOptions: NSObject {
    override init() { super.init() }
  }

  /// Who is told what happens to it.
  open var delegate: (any UISceneDelegate)?

  /// The system's to call.
  override init() { super.init() }
}

/// A scene with windows.
@MainActor @preconcurrency open class UIWindowScene: UIScene {}

/// What a scene leaves behind when it goes.
@MainActor @preconcurrency open class UISceneSession: NSObject {
  override init() { super.init() }
}

/// Is told what happens to a scene.
@MainActor @preconcurrency public protocol UISceneDelegate: NSObjectProtocol {
  /// The scene is there.
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions)
  /// The scene is gone.
  func sceneDidDisconnect(_ scene: UIScene)
  /// The scene is in front.
  func sceneDidBecomeActive(_ scene: UIScene)
  /// The scene will not be in front.
  func sceneWillResignActive(_ scene: UIScene)
  /// The scene will be visible.
  func sceneWillEnterForeground(_ scene: UIScene)
  /// The scene is no longer visible.
  func sceneDidEnterBackground(_ scene: UIScene)
}

extension UISceneDelegate {
  /// Nothing.
  public func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {}
  /// Nothing.
  public func sceneDidDisconnect(_ scene: UIScene) {}
  /// Nothing.
  public func sceneDidBecomeActive(_ scene: UIScene) {}
  /// Nothing.
  public func sceneWillResignActive(_ scene: UIScene) {}
  /// Nothing.
  public func sceneWillEnterForeground(_ scene: UIScene) {}
  /// Nothing.
  public func sceneDidEnterBackground(_ scene: UIScene) {}
}

/// Is told what happens to a scene with windows.
@MainActor @preconcurrency public protocol UIWindowSceneDelegate: UISceneDelegate {
  /// The scene's window.
  var window: UIWindow? { get set }
}

/// A window.
@MainActor @preconcurrency open class UIWindow: UIView {
  /// The screen that fills it.
  open var rootViewController: UIViewController?
  /// Its scene.
  open weak var windowScene: UIWindowScene?

  /// Makes a window of a scene.
  public init(windowScene: UIWindowScene) {
    self.windowScene = windowScene
    super.init(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
  }

  /// There are no storyboards here: always nil.
  public required init?(coder: NSCoder) { nil }

  /// Shows the window in front.
  open func makeKeyAndVisible() {
    rootViewController?.loadViewIfNeeded()
    rootViewController?.viewWillAppear(false)
    rootViewController?.viewDidAppear(false)
  }
}
