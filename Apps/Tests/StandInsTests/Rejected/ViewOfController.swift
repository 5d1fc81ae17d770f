// Must not compile: a screen's view may be reset, so a name for it holds an optional.

import UIKit

@MainActor func viewOfController(_ controller: UIViewController, _ other: UIView) {
  let view = controller.view
  view.addSubview(other)  // error: value of optional type 'UIView?' must be unwrapped
}
