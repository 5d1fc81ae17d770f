import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI

/// A price with its direction, in digits of equal width; dimmed while it is invalid.
struct PriceLabel: View {
  let text: String
  let direction: Direction
  let freshness: FreshnessState
  @Environment(\.colorScheme) private var colorScheme

  /// The screen reader's text: the price with its direction, or why it is invalid.
  static func spoken(
    _ text: String, isKnown: Bool, _ direction: Direction, _ freshness: FreshnessState
  ) -> Sentence {
    guard isKnown else { return "no price yet" }
    let moves = freshness.showsMovement && direction != .unchanged
    return "\(text), \(moves ? direction.word : freshness.phrase)"
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
