// The two sizes in which every screen is looked at.

import Foundation
@_spi(Host) import SwiftUI

/// A device.
enum PreviewDevice: String, CaseIterable {
  /// An iPhone, 390 × 844 points.
  case phone
  /// An iPad on its side, 1024 × 768 points.
  case pad

  /// For people.
  var name: String { self == .phone ? "iPhone, 390 pt" : "iPad, 1024 pt" }

  /// The width of the web's picture that stands beside it.
  var webWidth: Int { self == .phone ? 360 : 820 }

  /// What the app is told of the room that it has.
  @MainActor func tell(_ host: ViewHost) {
    host.set(\.horizontalSizeClass, self == .phone ? .compact : .regular)
    host.set(\.verticalSizeClass, .regular)
  }
}

extension ColorScheme {
  /// As file names and style sheets call it.
  var word: String { self == .dark ? "dark" : "light" }
}
