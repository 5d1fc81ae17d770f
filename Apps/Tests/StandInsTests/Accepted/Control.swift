// Must compile: otherwise the rejected cases would only prove that the command fails.

import Combine
import SwiftUI

final class AcceptedStore: ObservableObject {
  @Published private(set) var count = 0
}

struct Accepted: View {
  enum Place: Hashable { case here }
  @ObservedObject var store: AcceptedStore
  @State private var text = ""

  var body: some View {
    NavigationStack {
      List {
        ForEach(0..<3, id: \.self) { Text(verbatim: "\($0)").foregroundStyle(.green) }
        TextField("a", text: $text).onChange(of: text) { _, _ in }
        NavigationLink("b", value: Place.here)
      }
    }
  }
}
