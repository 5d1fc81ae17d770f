// Must not compile: without changes that can be compared there is no onChanged.

import SwiftUI

struct Flick: Gesture {
  struct Value {}
  var body: some Gesture { DragGesture() }
}

@MainActor func follow() {
  _ = Flick().exclusively(before: DragGesture()).onChanged { _ in }  // error: 'Equatable'
}
