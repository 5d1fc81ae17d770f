// The connection in the bar: a mark that differs by more than its colour, and a word.

#if canImport(UIKit)
  import AppState
  import Foundation
  import UIKit

  /// Shows the connection in one word.
  final class ConnectionBadge: UILabel {
    /// The word; disconnected at first.
    var word = ConnectionWord.disconnected { didSet { show() } }

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
      show()
    }

    private func show() {
      text = "\(word == .connecting ? "○" : "●") \(name)"
      accessibilityValue = name
      switch word {
      case .connected: textColor = .systemGreen
      case .connecting: textColor = .secondaryLabel
      case .disconnected: textColor = .systemRed
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
