// Must not compile: a view accepts no publisher that can fail.

import Combine
import SwiftUI

struct ReceiveOfFailing: View {
  struct Failure: Error {}
  let subject = PassthroughSubject<Int, Failure>()
  var body: some View {
    Text("a").onReceive(subject) { _ in }  // error: requires the types
  }
}
