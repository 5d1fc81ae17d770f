// Must not compile: words are words, a number is none.

import SwiftUI

struct TextOfNumber: View {
  var body: some View {
    Text(5)  // error: 'Int'
  }
}
