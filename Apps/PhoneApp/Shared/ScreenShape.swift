import Foundation
import PhoneStores
import SwiftUI

/// EX8: how the parts of a screen share its space, by its size and the text size.
enum ScreenShape: Hashable {
  /// Side by side: a tablet, a large phone in landscape, or any low and wide phone.
  case beside
  /// Stacked; only the last part scrolls.
  case stacked
  /// Stacked in one list: with very large text no room would be left for the last part.
  case scrolling

  init(
    horizontal: UserInterfaceSizeClass?, vertical: UserInterfaceSizeClass?, type: DynamicTypeSize
  ) {
    if horizontal == .regular {
      self = .beside
    } else if type.isAccessibilitySize {
      self = .scrolling
    } else {
      self = vertical == .compact ? .beside : .stacked
    }
  }

  /// The layout; typed text and scroll positions survive rotation.
  var layout: AnyLayout {
    self == .beside
      ? AnyLayout(HStackLayout(alignment: .top, spacing: 0))
      : AnyLayout(VStackLayout(spacing: 0))
  }
}
