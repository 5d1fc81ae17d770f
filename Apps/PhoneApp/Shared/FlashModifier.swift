import Foundation
import MarketModel
import PhoneStores
import SwiftUI

/// PT7, OB6: a background that flashes.
///
/// With reduced motion only the arrow and the sign show the change.
struct FlashModifier: ViewModifier {
  let direction: Direction?
  @Environment(\.colorScheme) private var colorScheme
  @Environment(\.accessibilityReduceMotion) private var reduceMotion

  func body(content: Content) -> some View {
    content.background(Palette(colorScheme).flash(reduceMotion ? nil : direction))
  }
}

extension View {
  /// Flashes the background in a direction's colour; no flash for nil.
  func flash(_ direction: Direction?) -> some View {
    modifier(FlashModifier(direction: direction))
  }
}
