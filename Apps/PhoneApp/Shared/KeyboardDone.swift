import PhoneStores
import SwiftUI

/// Done above the keyboard: a pad of digits has no return key.
struct KeyboardDone<Field: Hashable>: ToolbarContent {
  let focus: FocusState<Field?>.Binding

  var body: some ToolbarContent {
    ToolbarItem(placement: .keyboard) {
      if focus.wrappedValue != nil { Button("Done") { focus.wrappedValue = nil } }
    }
  }
}
