// The watch list under a test's eyes: what each row says, and what is in sight.

import Foundation
import MarketModel
import Testing

// By its own name: beside Testing, a module called UIKit makes the compiler look for an overlay
// that Linux lacks.
@_spi(Host) import LinuxUIKit
@testable import StocksApp

@MainActor struct TestList {
  let feeds = TestFeeds()
  let application: StocksApplication
  let screen: UIViewController
  let list: UICollectionView

  /// The app with some rows in sight.
  init(rows: Range<Int> = 0..<3, locale: String = "en_US") throws {
    application = StocksApplication(feeds: feeds.feeds, locale: Locale(identifier: locale))
    let navigation = try #require(application.rootViewController as? UINavigationController)
    screen = try #require(navigation.topViewController)
    screen.loadViewIfNeeded()
    list = try #require(screen.view.first(UICollectionView.self))
    list.show(rows: rows)
  }

  /// Each row in sight: name, freshness, price.
  var rows: [[String]] { list.visibleCells.map(\.texts) }

  func cell(_ isin: String) throws -> UICollectionViewCell {
    try #require(list.visibleCells.first { $0.accessibilityIdentifier == isin })
  }

  /// The label that shows the price.
  func priceLabel(_ isin: String) throws -> UILabel {
    let labels = labels(in: try cell(isin))
    return try #require(labels.last)
  }

  private func labels(in view: UIView) -> [UILabel] {
    ((view as? UILabel).map { [$0] } ?? []) + view.subviews.flatMap(labels)
  }

  var badge: UILabel? { screen.navigationItem.leftBarButtonItem?.customView as? UILabel }

  /// What the banner says; nil while it is hidden.
  var banner: String? {
    guard let view = screen.view.first(BannerView.self), !view.isHidden else { return nil }
    return view.texts.first
  }

  var configurations: Int { list.configurations.values.reduce(0, +) }
}
