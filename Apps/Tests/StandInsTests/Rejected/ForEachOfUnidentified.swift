// Must not compile: rows are told apart.

import SwiftUI

struct ForEachOfUnidentified: View {
  struct Value {}
  var body: some View {
    ForEach([Value()]) { _ in Text("a") }  // error: conform to 'Identifiable'
  }
}
