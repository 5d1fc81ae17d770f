// Must not compile: a stack is a view, its arrangement has a name of its own.

import SwiftUI

@MainActor func stacked() -> AnyLayout {
  AnyLayout(VStack { Text("a") })  // error: conform to 'Layout'
}
