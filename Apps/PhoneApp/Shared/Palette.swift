import Foundation
import MarketModel
import PhoneStores
import SwiftUI

/// A theme's colours of rises and falls.
///
/// The system's green and red are too light for text on white; these have a contrast of at least
/// 4.5:1 in both themes, also on a flash or a bar of their own colour.
struct Palette {
  /// The fill of a prominent button: its white label has a contrast of 4.5:1, and the button 3:1
  /// with the screen, in both themes.
  static let fill = Color(red: 0.16, green: 0.45, blue: 0.78)

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

  /// The fill of a button that buys or sells.
  static func fill(_ side: Side) -> Color {
    side == .buy
      ? Color(red: 0.11, green: 0.50, blue: 0.27) : Color(red: 0.80, green: 0.20, blue: 0.20)
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
