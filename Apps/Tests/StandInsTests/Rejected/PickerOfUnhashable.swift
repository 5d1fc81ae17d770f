// Must not compile: options must be hashable.

import SwiftUI

struct PickerOfUnhashable: View {
  struct Value {}
  @State private var value = Value()
  var body: some View {
    Picker("a", selection: $value) { Text("b") }  // error: conform to 'Hashable'
  }
}
