// Must not compile: a stack is a view; its layout has another name.

import SwiftUI

@MainActor func stacked() -> AnyLayout {
  AnyLayout(VStack { Text("a") })  // error: conform to 'Layout'
}
