// Must not compile: a link's value must be hashable.

import SwiftUI

struct LinkOfUnhashable: View {
  struct Value {}
  var body: some View {
    NavigationLink("a", value: Value())  // error: conform to 'Hashable'
  }
}
