// Colours with a meaning. The system's own green and red are too light for words on white (2.2:1 and
// 3.4:1); these have at least 4.5:1 on the backgrounds of both themes.

import Foundation
import MarketModel
import SwiftUI

/// The colours of rises and falls in a theme.
struct Palette {
  let rise: Color
  let fall: Color

  init(_ scheme: ColorScheme) {
    switch scheme {
    case .dark:
      rise = Color(red: 0.30, green: 0.82, blue: 0.45)
      fall = Color(red: 1.00, green: 0.47, blue: 0.44)
    default:
      rise = Color(red: 0.00, green: 0.45, blue: 0.18)
      fall = Color(red: 0.76, green: 0.10, blue: 0.10)
    }
  }

  /// The colour of a direction; the ordinary one where there is none.
  func color(of direction: Direction) -> Color {
    switch direction {
    case .up: rise
    case .down: fall
    case .unchanged: Color.primary
    }
  }

  /// The background of a flash.
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

  /// The same as a word, for screen readers.
  var word: String {
    switch self {
    case .up: "up"
    case .down: "down"
    case .unchanged: "unchanged"
    }
  }
}
