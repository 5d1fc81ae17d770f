// Must not compile: a detached task is not on the main actor.

import Combine
import SwiftUI

@MainActor final class TaskStore: ObservableObject {
  @Published var count = 0
}

struct TaskOffTheMainActor: View {
  @ObservedObject var store: TaskStore
  var body: some View {
    let store = store
    Text("a").task {
      Task.detached {
        store.count = 1  // error: main actor-isolated property 'count' can not be mutated
      }
    }
  }
}
