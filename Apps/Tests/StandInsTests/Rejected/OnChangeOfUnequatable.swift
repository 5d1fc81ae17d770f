// Must not compile: only what can be compared can be seen to change.

import SwiftUI

struct OnChangeOfUnequatable: View {
  struct Value {}
  let value = Value()
  var body: some View {
    Text("a").onChange(of: value) { _, _ in }  // error: conform to 'Equatable'
  }
}
