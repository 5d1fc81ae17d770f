// Must not compile: a colour is not a string.

import SwiftUI

struct StyleOfString: View {
  var body: some View {
    Text("a").background("green")  // error: conform to 'ShapeStyle'
  }
}
