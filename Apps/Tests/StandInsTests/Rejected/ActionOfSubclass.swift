// Must not compile: an action's initializer is a convenience, which a subclass can't call.

import UIKit

final class ActionOfSubclass: UIAction {
  init(words: String) {
    super.init(title: words) { _ in }  // error: must call a designated initializer
  }
}
