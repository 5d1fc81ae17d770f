// Must not compile: options are told apart by their hash.

import SwiftUI

struct PickerOfUnhashable: View {
  struct Value {}
  @State private var value = Value()
  var body: some View {
    Picker("a", selection: $value) { Text("b") }  // error: conform to 'Hashable'
  }
}
