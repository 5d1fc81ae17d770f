// Must not compile: a screen with an initializer of its own says what a storyboard gets.

import UIKit

final class ControllerWithoutCoder: UIViewController {
  init() { super.init(nibName: nil, bundle: nil) }
}  // error: 'required' initializer 'init(coder:)' must be provided
