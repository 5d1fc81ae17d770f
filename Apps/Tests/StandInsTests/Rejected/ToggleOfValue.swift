// Must not compile: a switch changes a binding, not a value.

import SwiftUI

struct ToggleOfValue: View {
  @State private var isOn = false
  var body: some View {
    Toggle("a", isOn: isOn)  // error: cannot convert value 'isOn' of type 'Bool'
  }
}
