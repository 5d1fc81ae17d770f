// Must not compile: a button does something.

import SwiftUI

struct ButtonWithoutAction: View {
  var body: some View {
    Button("a")  // error: missing argument for parameter
  }
}
