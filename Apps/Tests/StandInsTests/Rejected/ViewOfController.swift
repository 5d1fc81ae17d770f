// Must not compile: a controller's view can be set to nil, so a variable of it is an optional.

import UIKit

@MainActor func viewOfController(_ controller: UIViewController, _ other: UIView) {
  let view = controller.view
  view.addSubview(other)  // error: value of optional type 'UIView?' must be unwrapped
}
