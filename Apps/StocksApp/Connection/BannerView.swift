#if canImport(UIKit)
  import Foundation
  import UIKit

  /// Shows above the list why prices have stopped and what happens next; hidden when all is well.
  final class BannerView: UIView {
    /// Nil hides the banner.
    var message: String? {
      didSet {
        guard message != oldValue else { return }
        label.text = message
        isHidden = message == nil
      }
    }

    private let label = UILabel(frame: .zero)

    override init(frame: CGRect) {
      super.init(frame: frame)
      prepare()
    }

    required init?(coder: NSCoder) {
      super.init(coder: coder)
      prepare()
    }

    private func prepare() {
      backgroundColor = .secondarySystemBackground
      isHidden = true
      label.numberOfLines = 0
      label.font = .preferredFont(forTextStyle: .footnote)
      label.adjustsFontForContentSizeCategory = true
      label.accessibilityIdentifier = "banner"
      label.translatesAutoresizingMaskIntoConstraints = false
      addSubview(label)
      NSLayoutConstraint.activate([
        label.leadingAnchor.constraint(equalTo: layoutMarginsGuide.leadingAnchor),
        label.trailingAnchor.constraint(equalTo: layoutMarginsGuide.trailingAnchor),
        label.topAnchor.constraint(equalTo: layoutMarginsGuide.topAnchor),
        label.bottomAnchor.constraint(equalTo: layoutMarginsGuide.bottomAnchor),
      ])
    }
  }
#endif
