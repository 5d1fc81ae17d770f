import Foundation
@_spi(Host) import SwiftUI

enum PreviewDevice: String, CaseIterable {
  /// An iPhone, 390 × 844 points.
  case phone
  /// An iPad in landscape, 1024 × 768 points.
  case pad

  var name: String { self == .phone ? "iPhone, 390 pt" : "iPad, 1024 pt" }

  var webWidth: Int { self == .phone ? 360 : 820 }

  @MainActor func tell(_ host: ViewHost) {
    host.set(\.horizontalSizeClass, self == .phone ? .compact : .regular)
    host.set(\.verticalSizeClass, .regular)
  }
}

extension ColorScheme {
  /// The name in file names and style sheets.
  var word: String { self == .dark ? "dark" : "light" }
}
