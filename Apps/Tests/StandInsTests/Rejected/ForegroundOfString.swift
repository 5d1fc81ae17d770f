// Must not compile: a colour is no string.

import SwiftUI

struct ForegroundOfString: View {
  var body: some View {
    VStack { Text("a") }.foregroundStyle("green")  // error: conform to 'ShapeStyle'
  }
}
