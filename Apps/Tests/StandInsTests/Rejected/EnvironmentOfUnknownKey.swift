// Must not compile: a value of the environment that does not exist.

import SwiftUI

struct EnvironmentOfUnknownKey: View {
  @Environment(\.weather) private var weather  // error: has no member 'weather'
  var body: some View { Text("a") }
}
