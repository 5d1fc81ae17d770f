// Must not compile: an object that nobody can observe is no state object.

import SwiftUI

final class PlainClass {}

struct StateObjectOfPlainClass: View {
  @StateObject private var object = PlainClass()  // error: conform to 'ObservableObject'
  var body: some View { Text("a") }
}
