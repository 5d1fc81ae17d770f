// Must not compile: a binding has its value's type.

import SwiftUI

struct BindingOfOtherType: View {
  @State private var number = 1
  var body: some View {
    TextField("a", text: $number)  // error: cannot convert value of type 'Binding<Int>'
  }
}
