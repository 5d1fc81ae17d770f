// Must not compile: the value of a link is found by its hash.

import SwiftUI

struct LinkOfUnhashable: View {
  struct Value {}
  var body: some View {
    NavigationLink("a", value: Value())  // error: conform to 'Hashable'
  }
}
