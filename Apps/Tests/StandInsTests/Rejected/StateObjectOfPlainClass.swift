// Must not compile: a state object must be observable.

import SwiftUI

final class PlainClass {}

struct StateObjectOfPlainClass: View {
  @StateObject private var object = PlainClass()  // error: conform to 'ObservableObject'
  var body: some View { Text("a") }
}
