// Must not compile: the system sets the dismiss action.

import SwiftUI

struct ReplacedDismissal: View {
  @Environment(\.dismiss) private var dismiss

  var body: some View {
    Text("AAPL").environment(\.dismiss, dismiss)  // error: cannot convert value of type
  }
}
