// Must not compile: which view a handler is for is said by its parameter's type only.

import UIKit

final class TraitHandlerWithoutTypes: UIView {
  func observe(_ traits: [UITrait]) {
    registerForTraitChanges(traits) { view, _ in  // error: cannot infer type of closure parameter
      view.setNeedsLayout()
    }
  }
}
