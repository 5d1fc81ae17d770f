// Must not compile: that a delegate can be made of nothing is not promised.

import UIKit

@MainActor func delegateMadeAnew<Delegate: UIApplicationDelegate>(_ type: Delegate.Type) {
  _ = type.init()  // error: has no member 'init'
}
