// Must not compile: state of the main actor is written there only.

import Combine
import SwiftUI

@MainActor final class MainStore: ObservableObject {
  @Published var count = 0
}

func writeOffTheMainActor(_ store: MainStore) {
  store.count = 1  // error: main actor-isolated property 'count' can not be mutated
}
