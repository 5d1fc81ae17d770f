// Must not compile: the environment has no such value.

import SwiftUI

struct EnvironmentOfUnknownKey: View {
  @Environment(\.weather) private var weather  // error: has no member 'weather'
  var body: some View { Text("a") }
}
