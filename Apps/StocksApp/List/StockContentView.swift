#if canImport(UIKit)
  import Foundation
  import UIKit

  /// Shows a ``StockContent``: name and freshness at the left, price at the right; stacked for very
  /// large text.
  final class StockContentView: UIView, UIContentView {
    private var content: StockContent
    private let name = UILabel(frame: .zero)
    private let freshness = UILabel(frame: .zero)
    private let price = UILabel(frame: .zero)
    private let row: UIStackView

    init(_ content: StockContent) {
      self.content = content
      let words = UIStackView(arrangedSubviews: [name, freshness])
      words.axis = .vertical
      words.spacing = 2
      row = UIStackView(arrangedSubviews: [words, price])
      super.init(frame: .zero)
      dress()
      place()
      arrange()
      show()
      registerForTraitChanges([UITraitPreferredContentSizeCategory.self]) {
        (view: StockContentView, _: UITraitCollection) in view.arrange()
      }
    }

    required init?(coder: NSCoder) { nil }

    var configuration: any UIContentConfiguration {
      get { content }
      set {
        guard let new = newValue as? StockContent, new != content else { return }
        content = new
        show()
      }
    }

    private func dress() {
      name.font = .preferredFont(forTextStyle: .body)
      name.numberOfLines = 0
      freshness.font = .preferredFont(forTextStyle: .footnote)
      freshness.textColor = .secondaryLabel
      freshness.numberOfLines = 0
      // Digits of one width, so that a changing price does not move.
      price.font = UIFontMetrics(forTextStyle: .body).scaledFont(
        for: .monospacedDigitSystemFont(ofSize: 17, weight: .regular))
      for label in [name, freshness, price] { label.adjustsFontForContentSizeCategory = true }
      price.setContentHuggingPriority(.required, for: .horizontal)
      price.setContentCompressionResistancePriority(.required, for: .horizontal)
    }

    private func place() {
      row.spacing = 8
      row.translatesAutoresizingMaskIntoConstraints = false
      addSubview(row)
      let height = row.heightAnchor.constraint(greaterThanOrEqualToConstant: 44)
      height.priority = .defaultHigh
      NSLayoutConstraint.activate([
        row.leadingAnchor.constraint(equalTo: layoutMarginsGuide.leadingAnchor),
        row.trailingAnchor.constraint(equalTo: layoutMarginsGuide.trailingAnchor),
        row.topAnchor.constraint(equalTo: layoutMarginsGuide.topAnchor),
        row.bottomAnchor.constraint(equalTo: layoutMarginsGuide.bottomAnchor),
        height,
      ])
    }

    private func arrange() {
      let isLarge = traitCollection.preferredContentSizeCategory.isAccessibilityCategory
      row.axis = isLarge ? .vertical : .horizontal
      row.alignment = isLarge ? .leading : .center
    }

    private func show() {
      set(name, content.name)
      set(freshness, content.freshness)
      set(price, content.price)
      price.textColor = content.isDimmed ? .secondaryLabel : .label
    }

    /// Skips an equal text, which would cause a layout pass.
    private func set(_ label: UILabel, _ text: String) {
      if label.text != text { label.text = text }
    }
  }
#endif
