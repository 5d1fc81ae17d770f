// EX8: which parts of a screen stand beside each other, by the room there is and by how large the
// person wants words.

import Foundation
import SwiftUI

/// How the parts of a screen share its room.
enum ScreenShape: Hashable {
  /// Side by side: a tablet, a large phone on its side, or any phone that is low and wide.
  case beside
  /// Below each other, only the last part scrolls.
  case stacked
  /// Below each other in one list: with very large words nothing would be left for the last part.
  case scrolling

  /// Chooses the shape.
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

  /// The arrangement; what is typed and scrolled survives when a device is turned.
  var layout: AnyLayout {
    self == .beside
      ? AnyLayout(HStackLayout(alignment: .top, spacing: 0))
      : AnyLayout(VStackLayout(spacing: 0))
  }
}
