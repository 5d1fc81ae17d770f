// The connection in the bar: a mark that differs by more than its colour, and a word.

#if canImport(UIKit)
  import AppState
  import Foundation
  import UIKit

  /// Shows the connection in one word.
  final class ConnectionBadge: UILabel {
    /// The word; disconnected at first.
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
      accessibilityLabel = "Connection"
      // In a bar it is as wide as its words, which change.
      translatesAutoresizingMaskIntoConstraints = false
      setContentCompressionResistancePriority(.required, for: .horizontal)
      show()
    }

    private func show() {
      text = "\(word == .connecting ? "○" : "●") \(name)"
      accessibilityValue = name
      switch word {
      case .connected: textColor = ConnectionBadge.good
      case .connecting: textColor = .secondaryLabel
      case .disconnected: textColor = ConnectionBadge.bad
      }
    }

    // The system's own green and red are too light for words on white; these are the colours of
    // rises and falls in the other app.
    private static let good = color(light: (0.00, 0.37, 0.14), dark: (0.30, 0.82, 0.45))
    private static let bad = color(light: (0.62, 0.05, 0.05), dark: (1.00, 0.52, 0.49))

    private typealias Parts = (red: CGFloat, green: CGFloat, blue: CGFloat)

    private static func color(light: Parts, dark: Parts) -> UIColor {
      // UIKit asks for a colour on any thread.
      UIColor { @Sendable traits in
        let parts = traits.userInterfaceStyle == .dark ? dark : light
        return UIColor(red: parts.red, green: parts.green, blue: parts.blue, alpha: 1)
      }
    }

    private var name: String {
      switch word {
      case .connected: "Connected"
      case .connecting: "Connecting…"
      case .disconnected: "Disconnected"
      }
    }
  }
#endif
