// Must not compile: a text takes a string, not a number.

import SwiftUI

struct TextOfNumber: View {
  var body: some View {
    Text(5)  // error: 'Int'
  }
}
