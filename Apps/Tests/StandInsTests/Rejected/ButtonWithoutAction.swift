// Must not compile: a button needs an action.

import SwiftUI

struct ButtonWithoutAction: View {
  var body: some View {
    Button("a")  // error: missing argument for parameter
  }
}
