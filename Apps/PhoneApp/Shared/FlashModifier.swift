// PT7, OB6: the background of what has just changed. With reduced motion the arrow and the sign say
// it alone.

import Foundation
import MarketModel
import SwiftUI

/// A background that flashes.
struct FlashModifier: ViewModifier {
  let direction: Direction?
  @Environment(\.colorScheme) private var colorScheme
  @Environment(\.accessibilityReduceMotion) private var reduceMotion

  func body(content: Content) -> some View {
    let isOn = direction != nil && direction != .unchanged
    // There at once, fading out; the words in front stand still.
    content.animation(isOn || reduceMotion ? nil : .easeOut(duration: 0.15)) {
      $0.background(Palette(colorScheme).flash(reduceMotion ? nil : direction))
    }
  }
}

extension View {
  /// A background that flashes in a direction's colour while there is one.
  func flash(_ direction: Direction?) -> some View {
    modifier(FlashModifier(direction: direction))
  }
}
