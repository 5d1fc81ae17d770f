#if canImport(UIKit)
  import AppState
  import FeedConnections
  import Foundation
  import MarketModel
  import UIKit

  /// The user chooses where prices come from; the watchlist is pushed on top.
  final class MarketListController: UIViewController, UICollectionViewDelegate {
    private typealias Source = UICollectionViewDiffableDataSource<Int, MarketChoice.Source>

    var choose: (MarketChoice.Source) -> Void = { _ in }
    private var source: Source?

    init() {
      super.init(nibName: nil, bundle: nil)
      title = Locale.current.text("Markets")
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      let list = UICollectionView(
        frame: view.bounds,
        collectionViewLayout: UICollectionViewCompositionalLayout.list(
          using: UICollectionLayoutListConfiguration(appearance: .insetGrouped)))
      list.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      list.delegate = self
      view.addSubview(list)
      let registration = UICollectionView.CellRegistration<
        UICollectionViewListCell, MarketChoice.Source
      > { cell, _, source in
        var content = UIListContentConfiguration.subtitleCell()
        content.text = Locale.current.text(source.name)
        content.secondaryText = Locale.current.text(source.explanation)
        cell.contentConfiguration = content
      }
      let source = Source(collectionView: list) { list, place, row in
        list.dequeueConfiguredReusableCell(using: registration, for: place, item: row)
      }
      var snapshot = NSDiffableDataSourceSnapshot<Int, MarketChoice.Source>()
      snapshot.appendSections([0])
      snapshot.appendItems(MarketChoice.Source.allCases)
      self.source = source
      source.apply(snapshot, animatingDifferences: false)
    }

    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
      collectionView.deselectItem(at: indexPath, animated: true)
      if let chosen = source?.itemIdentifier(for: indexPath) { choose(chosen) }
    }
  }
#endif
