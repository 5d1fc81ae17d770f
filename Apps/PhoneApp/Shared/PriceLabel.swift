// A price with its sign: digits that are all as wide, dimmed when they can't be believed.

import AppState
import Foundation
import MarketModel
import SwiftUI

/// A price and where it went.
struct PriceLabel: View {
  let text: String
  let direction: Direction
  let freshness: FreshnessState
  @Environment(\.colorScheme) private var colorScheme

  /// The price as a screen reader says it: with where it went, or why it can't be believed.
  static func spoken(
    _ text: String, isKnown: Bool, _ direction: Direction, _ freshness: FreshnessState
  ) -> String {
    guard isKnown else { return "no price yet" }
    let moves = freshness.showsMovement && direction != .unchanged
    return "\(text), \(moves ? direction.word : freshness.rawValue)"
  }

  var body: some View {
    HStack(spacing: 4) {
      Text(text)
        .monospacedDigit()
        .lineLimit(1)
        .minimumScaleFactor(0.6)
      if freshness.showsMovement, direction != .unchanged {
        Text(direction.arrow).foregroundStyle(Palette(colorScheme).color(of: direction))
      }
    }
    .opacity(freshness.isDimmed ? 0.5 : 1)
  }
}
