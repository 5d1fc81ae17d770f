// The process of an app: enough for the shell of one to compile. There is no event loop here.

public import Foundation

/// The process.
@MainActor @preconcurrency open class UIApplication: UIResponder {}

/// Is told what happens to the process.
@MainActor @preconcurrency public protocol UIApplicationDelegate: NSObjectProtocol {}

extension UIApplicationDelegate {
  /// Nothing here: the system makes a delegate, and there is none.
  public static func main() {}
}
