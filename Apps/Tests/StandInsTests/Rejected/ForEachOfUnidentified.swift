// Must not compile: rows need an identity.

import SwiftUI

struct ForEachOfUnidentified: View {
  struct Value {}
  var body: some View {
    ForEach([Value()]) { _ in Text("a") }  // error: conform to 'Identifiable'
  }
}
