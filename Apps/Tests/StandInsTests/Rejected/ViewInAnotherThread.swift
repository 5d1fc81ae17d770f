// Must not compile: views do not leave the main actor.

import SwiftUI

@MainActor func heldElsewhere() -> some Sendable {
  VStack { Text("AAPL") }  // error: conformance of 'VStack<Content>' to 'Sendable' is unavailable
}
