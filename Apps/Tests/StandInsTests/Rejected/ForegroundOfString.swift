// Must not compile: a colour is not a string.

import SwiftUI

struct ForegroundOfString: View {
  var body: some View {
    VStack { Text("a") }.foregroundStyle("green")  // error: conform to 'ShapeStyle'
  }
}
