// Must not compile: the result has to be used.

import SwiftUI

func addTrait() {
  var traits = AccessibilityTraits()
  traits.insert(.isButton)  // error: result of call to 'insert' is unused
}
