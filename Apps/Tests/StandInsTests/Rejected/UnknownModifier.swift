// Must not compile: a modifier that does not exist.

import SwiftUI

struct UnknownModifier: View {
  var body: some View {
    Text("a").glow()  // error: value of type 'Text' has no member 'glow'
  }
}
