public import Foundation

/// Runs a scene for a test in place of the system: starts it, scrolls and taps.
@_spi(Host) @MainActor public final class SceneHost {
  /// The scene.
  public let scene = UIWindowScene()
  private let delegate: any UIWindowSceneDelegate

  /// Starts a scene and brings it to the front.
  public init(_ delegate: any UIWindowSceneDelegate) {
    self.delegate = delegate
    scene.delegate = delegate
    delegate.scene(scene, willConnectTo: UISceneSession(), options: UIScene.ConnectionOptions())
    enterForeground()
  }

  /// The top view controller.
  public var top: UIViewController? {
    let root = delegate.window?.rootViewController
    return (root as? UINavigationController)?.topViewController ?? root
  }

  /// Moves the app to the background.
  public func enterBackground() {
    delegate.sceneWillResignActive(scene)
    delegate.sceneDidEnterBackground(scene)
  }

  /// Moves the app to the foreground.
  public func enterForeground() {
    delegate.sceneWillEnterForeground(scene)
    delegate.sceneDidBecomeActive(scene)
  }
}

extension UIView {
  /// The first view of a type in here.
  @_spi(Host) public func first<View: UIView>(_ type: View.Type) -> View? {
    if let found = self as? View { return found }
    for view in subviews {
      if let found = view.first(type) { return found }
    }
    return nil
  }

  /// All visible texts in here, in order.
  @_spi(Host) public var texts: [String] {
    if isHidden { return [] }
    var own: [String] = []
    if let text = (self as? UILabel)?.text { own.append(text) }
    if let list = (self as? UICollectionViewCell)?.contentConfiguration
      as? UIListContentConfiguration
    {
      own += [list.text, list.secondaryText].compactMap { $0 }
    }
    let parts = (self as? UICollectionView)?.visibleCells ?? subviews
    return own + parts.flatMap(\.texts)
  }
}

extension UIBarButtonItem {
  /// Taps the item; no effect when it is disabled.
  @_spi(Host) public func tap() {
    guard isEnabled, let primaryAction else { return }
    primaryAction.handler(primaryAction)
  }
}

extension UICollectionView {
  /// Selects a row as the user would.
  @_spi(Host) public func select(_ indexPath: IndexPath) {
    delegate?.collectionView(self, didSelectItemAt: indexPath)
  }
}
