// Must not compile: rows are told apart.

import SwiftUI

struct ListOfUnidentified: View {
  struct Value {}
  var body: some View {
    List([Value()]) { _ in Text("a") }  // error: conform to 'Identifiable'
  }
}
