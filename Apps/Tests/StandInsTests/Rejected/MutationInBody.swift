// Must not compile: a body does not change its view.

import SwiftUI

struct MutationInBody: View {
  var count = 0
  var body: some View {
    Button("a") { count += 1 }  // error: 'self' is immutable
  }
}
