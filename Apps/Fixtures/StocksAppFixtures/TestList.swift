import Foundation
import MarketModel

// By its own name: with Testing, a module called UIKit makes the compiler look for an overlay that
// Linux lacks.
@_spi(Host) package import LinuxUIKit
@testable package import StocksApp

/// A fixture received an invalid argument.
package struct FixtureError: Error, CustomStringConvertible {
  package let description: String
}

private func found<Value>(_ value: Value?, _ name: String) throws -> Value {
  guard let value else { throw FixtureError(description: "there is no \(name)") }
  return value
}

/// The watch list app and what it shows.
@MainActor package struct TestList {
  package let feeds: TestFeeds
  package let application: StocksApplication
  package let screen: UIViewController
  package let list: UICollectionView

  /// The app with some visible rows.
  package init(
    rows: Range<Int> = 0..<3, locale: String = "en_US", feeds: TestFeeds = TestFeeds()
  ) throws {
    self.feeds = feeds
    application = StocksApplication(feeds: feeds.feeds, locale: Locale(identifier: locale))
    let navigation = application.rootViewController as? UINavigationController
    screen = try found(navigation?.topViewController, "first screen")
    screen.loadViewIfNeeded()
    list = try found(screen.view.first(UICollectionView.self), "list")
    list.show(rows: rows)
  }

  /// Each visible row: name, freshness, price.
  package var rows: [[String]] { list.visibleCells.map(\.texts) }

  package func cell(_ isin: String) throws -> UICollectionViewCell {
    try found(list.visibleCells.first { $0.accessibilityIdentifier == isin }, "row \(isin)")
  }

  /// The label of a share's price.
  package func priceLabel(_ isin: String) throws -> UILabel {
    let labels = labels(in: try cell(isin))
    return try found(labels.last, "price of \(isin)")
  }

  private func labels(in view: UIView) -> [UILabel] {
    ((view as? UILabel).map { [$0] } ?? []) + view.subviews.flatMap(labels)
  }

  package var badge: UILabel? { screen.navigationItem.leftBarButtonItem?.customView as? UILabel }

  /// The banner's text; nil while it is hidden.
  package var banner: String? {
    guard let view = screen.view.first(BannerView.self), !view.isHidden else { return nil }
    return view.texts.first
  }

  package var configurations: Int { list.configurations.values.reduce(0, +) }
}
