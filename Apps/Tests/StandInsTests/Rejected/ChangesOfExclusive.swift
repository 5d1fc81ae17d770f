// Must not compile: onChanged needs an equatable value.

import SwiftUI

struct Flick: Gesture {
  struct Value {}
  var body: some Gesture { DragGesture() }
}

@MainActor func follow() {
  _ = Flick().exclusively(before: DragGesture()).onChanged { _ in }  // error: 'Equatable'
}
