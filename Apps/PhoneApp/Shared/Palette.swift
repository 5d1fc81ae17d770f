import Foundation
import MarketModel
import SwiftUI

/// A theme's colours of rises and falls.
///
/// The system's green and red are too light for text on white; these have a contrast of at least
/// 4.5:1 in both themes, also on a flash or a bar of their own colour.
struct Palette {
  let rise: Color
  let fall: Color

  init(_ scheme: ColorScheme) {
    switch scheme {
    case .dark:
      rise = Color(red: 0.30, green: 0.82, blue: 0.45)
      fall = Color(red: 1.00, green: 0.52, blue: 0.49)
    default:
      rise = Color(red: 0.00, green: 0.37, blue: 0.14)
      fall = Color(red: 0.62, green: 0.05, blue: 0.05)
    }
  }

  /// A direction's colour; the default one for no direction.
  func color(of direction: Direction) -> Color {
    switch direction {
    case .up: rise
    case .down: fall
    case .unchanged: Color.primary
    }
  }

  func flash(_ direction: Direction?) -> Color {
    guard let direction, direction != .unchanged else { return Color.clear }
    return color(of: direction).opacity(0.25)
  }
}

extension Direction {
  /// The sign beside a price: never colour alone.
  var arrow: String {
    switch self {
    case .up: "↑"
    case .down: "↓"
    case .unchanged: ""
    }
  }

  var word: String {
    switch self {
    case .up: "up"
    case .down: "down"
    case .unchanged: "unchanged"
    }
  }
}
