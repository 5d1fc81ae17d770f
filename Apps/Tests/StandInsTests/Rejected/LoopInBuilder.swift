// Must not compile: a builder has no loops.

import SwiftUI

struct LoopInBuilder: View {
  var body: some View {
    VStack {
      for index in 0..<3 {  // error: closure containing control flow statement cannot be used
        Text(verbatim: "\(index)")
      }
    }
  }
}
