// Must not compile: a colour is no string.

import SwiftUI

struct StyleOfString: View {
  var body: some View {
    Text("a").background("green")  // error: conform to 'ShapeStyle'
  }
}
