// The process of an app: enough for the shell of one to compile. There is no event loop here.

public import Foundation

/// The process.
@MainActor @preconcurrency open class UIApplication: UIResponder {}

/// Is told what happens to the process.
@MainActor @preconcurrency public protocol UIApplicationDelegate: NSObjectProtocol {
  /// Made once, when the process begins.
  init()
}

extension UIApplicationDelegate {
  /// Makes the delegate, and that is all here.
  public static func main() { _ = Self() }
}
