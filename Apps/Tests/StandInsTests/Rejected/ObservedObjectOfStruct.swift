// Must not compile: a value can't be observed.

import SwiftUI

struct PlainStruct {}

struct ObservedObjectOfStruct: View {
  @ObservedObject var object: PlainStruct  // error: conform to 'ObservableObject'
  var body: some View { Text("a") }
}
