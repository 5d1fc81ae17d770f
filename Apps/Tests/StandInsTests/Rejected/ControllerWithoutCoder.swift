// Must not compile: a view controller with its own initializer also needs `init(coder:)`.

import UIKit

final class ControllerWithoutCoder: UIViewController {
  init() { super.init(nibName: nil, bundle: nil) }
}  // error: 'required' initializer 'init(coder:)' must be provided
