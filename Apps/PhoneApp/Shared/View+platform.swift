// What only iOS has, in one place: the package is also built on Macs, where its tests run, and
// there these do not exist.

import SwiftUI

extension View {
  /// A small title, so that the screen belongs to its content.
  func smallTitle() -> some View {
    #if os(macOS)
      self
    #else
      navigationBarTitleDisplayMode(.inline)
    #endif
  }

  /// A field for identifiers: typed as they are, neither capitalized nor corrected.
  func typedAsItIs() -> some View {
    #if os(macOS)
      autocorrectionDisabled()
    #else
      textInputAutocapitalization(.never).autocorrectionDisabled()
    #endif
  }

  /// A list's rows in rounded groups.
  func rowsInGroups() -> some View {
    #if os(macOS)
      listStyle(.inset)
    #else
      listStyle(.insetGrouped)
    #endif
  }
}

extension ToolbarItemPlacement {
  /// The start of the top bar.
  static var barStart: ToolbarItemPlacement {
    #if os(macOS)
      .navigation
    #else
      .topBarLeading
    #endif
  }

  /// The end of the top bar.
  static var barEnd: ToolbarItemPlacement {
    #if os(macOS)
      .primaryAction
    #else
      .topBarTrailing
    #endif
  }
}
