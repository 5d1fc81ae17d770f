public import Foundation

/// An application: enough for an app's shell to compile, without an event loop.
@MainActor @preconcurrency open class UIApplication: UIResponder {}

/// The application's delegate.
@MainActor @preconcurrency public protocol UIApplicationDelegate: NSObjectProtocol {}

extension UIApplicationDelegate {
  /// No effect here: the system would create the delegate.
  public static func main() {}
}
