#if canImport(UIKit)
  import AppState
  import Foundation
  import MarketModel
  import UIKit

  /// The connection in the bar, as one word with a mark that differs by more than its colour.
  final class ConnectionBadge: UILabel {
    /// Disconnected at first.
    var word = ConnectionIndicator.disconnected { didSet { show() } }

    override init(frame: CGRect) {
      super.init(frame: frame)
      prepare()
    }

    required init?(coder: NSCoder) {
      super.init(coder: coder)
      prepare()
    }

    private func prepare() {
      font = .preferredFont(forTextStyle: .footnote)
      adjustsFontForContentSizeCategory = true
      isAccessibilityElement = true
      accessibilityLabel = Locale.current.text("Connection")
      // Takes the width of its text, which changes.
      translatesAutoresizingMaskIntoConstraints = false
      setContentCompressionResistancePriority(.required, for: .horizontal)
      show()
    }

    private func show() {
      let name = Locale.current.text(word.name)
      text = "\(word == .connecting ? "○" : "●") \(name)"
      accessibilityValue = name
      switch word {
      case .connected: textColor = ConnectionBadge.good
      case .connecting: textColor = .secondaryLabel
      case .disconnected: textColor = ConnectionBadge.bad
      }
    }

    // The system's green and red are too light for text on white; these are the other app's colours
    // of rises and falls.
    private static let good = color(light: (0.00, 0.37, 0.14), dark: (0.30, 0.82, 0.45))
    private static let bad = color(light: (0.62, 0.05, 0.05), dark: (1.00, 0.52, 0.49))

    private typealias Parts = (red: CGFloat, green: CGFloat, blue: CGFloat)

    private static func color(light: Parts, dark: Parts) -> UIColor {
      // UIKit may request a colour on any thread.
      UIColor { @Sendable traits in
        let parts = traits.userInterfaceStyle == .dark ? dark : light
        return UIColor(red: parts.red, green: parts.green, blue: parts.blue, alpha: 1)
      }
    }
  }
#endif
