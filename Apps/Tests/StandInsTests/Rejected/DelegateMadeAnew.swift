// Must not compile: the protocol has no initializer requirement.

import UIKit

@MainActor func delegateMadeAnew<Delegate: UIApplicationDelegate>(_ type: Delegate.Type) {
  _ = type.init()  // error: has no member 'init'
}
