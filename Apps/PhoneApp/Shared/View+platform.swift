// What only iOS has, in one place: the package's tests run on macOS, too, where these don't exist.

import PhoneStores
import SwiftUI

extension View {
  /// A small title that leaves room for the content.
  func smallTitle() -> some View {
    #if os(macOS)
      self
    #else
      navigationBarTitleDisplayMode(.inline)
    #endif
  }

  /// A field for identifiers: neither capitalized nor corrected.
  func typedAsItIs() -> some View {
    #if os(macOS)
      autocorrectionDisabled()
    #else
      textInputAutocapitalization(.never).autocorrectionDisabled()
    #endif
  }

  /// A field for numbers, with the user's decimal separator.
  func typedAsNumber() -> some View {
    #if os(iOS)
      keyboardType(.decimalPad)
    #else
      typedAsItIs()
    #endif
  }

  /// A button of the app's own look, which an iPad's pointer highlights.
  func ownLook() -> some View {
    #if os(macOS)
      buttonStyle(.plain)
    #else
      buttonStyle(.plain).hoverEffect(.highlight)
    #endif
  }

  func rowsInGroups() -> some View {
    #if os(macOS)
      listStyle(.inset)
    #else
      listStyle(.insetGrouped)
    #endif
  }
}

extension ToolbarItemPlacement {
  static var barStart: ToolbarItemPlacement {
    #if os(macOS)
      .navigation
    #else
      .topBarLeading
    #endif
  }

  static var barEnd: ToolbarItemPlacement {
    #if os(macOS)
      .primaryAction
    #else
      .topBarTrailing
    #endif
  }
}
