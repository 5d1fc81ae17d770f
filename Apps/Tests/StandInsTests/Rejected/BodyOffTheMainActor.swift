// Must not compile: a body is read on the main actor.

import SwiftUI

struct Words: View {
  var body: some View { Text("a") }
}

func bodyOffTheMainActor(_ words: Words) -> Any {
  words.body  // error: main actor-isolated property 'body' can not be referenced
}
