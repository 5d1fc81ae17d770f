// Must not compile: onChange needs an equatable value.

import SwiftUI

struct OnChangeOfUnequatable: View {
  struct Value {}
  let value = Value()
  var body: some View {
    Text("a").onChange(of: value) { _, _ in }  // error: conform to 'Equatable'
  }
}
