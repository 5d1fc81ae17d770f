// Must not compile: a body has one type.

import SwiftUI

struct BodyOfTwoTypes: View {
  let isNew: Bool
  var body: some View {  // error: function declares an opaque return type
    if isNew { return Text("a") }
    return Image(systemName: "star")
  }
}
