// Must not compile: a gesture is made of other gestures.

import SwiftUI

struct Swipe: Gesture {  // error: does not conform to protocol 'Gesture'
  typealias Value = Int
}
