// Must not compile: a sheet's item needs an identity.

import SwiftUI

struct SheetOfUnidentified: View {
  struct Value {}
  @State private var value: Value?
  var body: some View {
    Text("a").sheet(item: $value) { _ in Text("b") }  // error: conform to 'Identifiable'
  }
}
