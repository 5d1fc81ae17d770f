// Must not compile: a modifier of iOS 18, later than this app's.

import SwiftUI

struct LaterModifier: View {
  var body: some View {
    Text("a").onScrollVisibilityChange { _ in }  // error: has no member 'onScrollVisibilityChange'
  }
}
