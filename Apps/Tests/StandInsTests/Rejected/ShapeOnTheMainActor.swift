// Must not compile: shapes are drawn on any thread.

import Foundation
import SwiftUI

@MainActor var corner = 4.0

struct Notch: Shape {
  func path(in rect: CGRect) -> Path {
    Path(roundedRect: rect, cornerRadius: corner)  // error: main actor-isolated var 'corner'
  }
}
