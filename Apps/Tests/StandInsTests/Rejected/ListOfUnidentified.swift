// Must not compile: rows need an identity.

import SwiftUI

struct ListOfUnidentified: View {
  struct Value {}
  var body: some View {
    List([Value()]) { _ in Text("a") }  // error: conform to 'Identifiable'
  }
}
