// Must not compile: only the handler's parameter type determines its view type.

import UIKit

final class TraitHandlerWithoutTypes: UIView {
  func observe(_ traits: [UITrait]) {
    registerForTraitChanges(traits) { view, _ in  // error: cannot infer type of closure parameter
      view.setNeedsLayout()
    }
  }
}
