// Stands in for the system: starts a scene, scrolls and taps as a person would.

public import Foundation

/// Runs a scene for a test.
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

  /// The screen on top.
  public var top: UIViewController? {
    let root = delegate.window?.rootViewController
    return (root as? UINavigationController)?.topViewController ?? root
  }

  /// The app is put away.
  public func enterBackground() {
    delegate.sceneWillResignActive(scene)
    delegate.sceneDidEnterBackground(scene)
  }

  /// The app comes to the front.
  public func enterForeground() {
    delegate.sceneWillEnterForeground(scene)
    delegate.sceneDidBecomeActive(scene)
  }
}

extension UIView {
  /// The first view of a kind in here.
  @_spi(Host) public func first<View: UIView>(_ type: View.Type) -> View? {
    if let found = self as? View { return found }
    for view in subviews {
      if let found = view.first(type) { return found }
    }
    return nil
  }

  /// All words in here that can be seen, in order.
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
  /// Taps the item; nothing when it is switched off.
  @_spi(Host) public func tap() {
    guard isEnabled, let primaryAction else { return }
    primaryAction.handler(primaryAction)
  }
}

extension UICollectionView {
  /// The person chooses a row.
  @_spi(Host) public func select(_ indexPath: IndexPath) {
    delegate?.collectionView(self, didSelectItemAt: indexPath)
  }
}
