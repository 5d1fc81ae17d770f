// Must not compile: a view can't set what a store publishes.

import Combine
import SwiftUI

final class Store: ObservableObject {
  @Published private(set) var count = 0
}

struct WriteToPublishedState: View {
  @ObservedObject var store: Store
  var body: some View {
    Stepper("a", value: $store.count, in: 0...3)  // error: setter is inaccessible
  }
}
