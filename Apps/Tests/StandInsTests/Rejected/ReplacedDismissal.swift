// Must not compile: how a screen is taken away is the system's.

import SwiftUI

struct ReplacedDismissal: View {
  @Environment(\.dismiss) private var dismiss

  var body: some View {
    Text("AAPL").environment(\.dismiss, dismiss)  // error: cannot convert value of type
  }
}
