// Must not compile: there is no such modifier.

import SwiftUI

struct UnknownModifier: View {
  var body: some View {
    Text("a").glow()  // error: value of type 'Text' has no member 'glow'
  }
}
