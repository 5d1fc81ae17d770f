// Must not compile: a colour is not a string.

import UIKit

@MainActor func colourOfString(_ label: UILabel) {
  label.textColor = "red"  // error: cannot assign value of type 'String' to type 'UIColor'
}
