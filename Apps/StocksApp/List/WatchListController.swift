#if canImport(UIKit)
  import AppState
  import Combine
  import Foundation
  import MarketModel
  import UIKit

  /// WL2, WL3: the watch list.
  ///
  /// The list itself never changes; each price goes straight to its cell, without a snapshot and
  /// without reconfiguring the cell.
  final class WatchListController: UIViewController {
    private typealias Source = UICollectionViewDiffableDataSource<Int, WatchListRow>

    private let feeds: StocksFeeds
    private let prices: PriceTexts
    private let rows = WatchListState().rows
    /// By cell: while rows move, two cells may show one share.
    private var stores: [ObjectIdentifier: RowStore] = [:]
    private var observations: [AnyCancellable] = []
    private var summary: ConnectionSummary
    private var status: ConnectionStatus?
    private var source: Source?

    private let badge = ConnectionBadge(frame: .zero)
    private let banner = BannerView(frame: .zero)
    private lazy var retry = button(.retry) { [feeds] in feeds.retry() }
    private lazy var restart = button(.start) { [feeds] in feeds.start() }
    private lazy var reconnect = button(.reconnect) { [feeds] in
      feeds.stop()
      feeds.start()
    }

    init(feeds: StocksFeeds, locale: Locale) {
      self.feeds = feeds
      prices = PriceTexts(locale: locale)
      summary = ConnectionSummary(.isin, at: feeds.now())
      super.init(nibName: nil, bundle: nil)
      title = Locale.current.text("Stocks")
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      view.backgroundColor = .systemBackground
      navigationItem.leftBarButtonItem = UIBarButtonItem(customView: badge)
      navigationItem.leftItemsSupplementBackButton = true
      showRows(in: addList())
      observations = [
        feeds.observeConnection { [weak self] in self?.take($0) },
        feeds.observeTime { [weak self] in self?.showTime() },
      ]
    }

    private func addList() -> UICollectionView {
      let list = UICollectionView(
        frame: view.bounds,
        collectionViewLayout: UICollectionViewCompositionalLayout.list(
          using: UICollectionLayoutListConfiguration(appearance: .plain)))
      list.allowsSelection = false
      list.delegate = self
      let stack = UIStackView(arrangedSubviews: [banner, list])
      stack.axis = .vertical
      stack.translatesAutoresizingMaskIntoConstraints = false
      view.addSubview(stack)
      NSLayoutConstraint.activate([
        stack.leadingAnchor.constraint(equalTo: view.leadingAnchor),
        stack.trailingAnchor.constraint(equalTo: view.trailingAnchor),
        stack.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor),
        stack.bottomAnchor.constraint(equalTo: view.bottomAnchor),
      ])
      return list
    }

    private func showRows(in list: UICollectionView) {
      // A new cell gets its row's name and size; its price comes when it appears.
      let registration = UICollectionView.CellRegistration<UICollectionViewListCell, WatchListRow> {
        [weak self] cell, _, row in
        if let state = WatchRowScreen(isin: row.isin)?.state { self?.show(row, state, in: cell) }
        cell.isAccessibilityElement = true
        cell.accessibilityTraits = [.staticText, .updatesFrequently]
        cell.accessibilityIdentifier = row.isin.text
      }
      let source = Source(collectionView: list) { list, place, row in
        list.dequeueConfiguredReusableCell(using: registration, for: place, item: row)
      }
      var snapshot = NSDiffableDataSourceSnapshot<Int, WatchListRow>()
      snapshot.appendSections([0])
      snapshot.appendItems(rows)
      self.source = source
      source.apply(snapshot, animatingDifferences: false)
    }

    private func take(_ status: ConnectionStatus) {
      self.status = status
      summary.update(status, at: feeds.now())
      for store in stores.values { store.receive(.connection(status)) }
      showConnection()
    }

    private func showConnection() {
      if badge.word != summary.word { badge.word = summary.word }
      let states = stores.values.map(\.state.freshness.state)
      let isWaiting = !states.isEmpty && states.allSatisfy { $0 == .waiting }
      let notice = summary.notice(isWaiting: isWaiting, at: feeds.now())
      banner.message = notice.map { Locale.current.text($0.text) }
      let wanted = item(for: notice?.remedy)
      if navigationItem.rightBarButtonItem !== wanted { navigationItem.rightBarButtonItem = wanted }
    }

    private func button(
      _ remedy: ConnectionNotice.Remedy, _ act: @escaping @MainActor () -> Void
    ) -> UIBarButtonItem {
      UIBarButtonItem(
        primaryAction: UIAction(title: remedy.title.map(Locale.current.text) ?? "") { _ in act() })
    }

    private func item(for remedy: ConnectionNotice.Remedy?) -> UIBarButtonItem? {
      switch remedy {
      case .retry: retry
      case .reconnect: reconnect
      case .start: restart
      case .none?, .setUp, nil: nil
      }
    }

    private func showTime() {
      showConnection()
      for store in stores.values { store.refresh() }
    }

    private func show(
      _ row: WatchListRow, _ state: WatchRowState, in cell: UICollectionViewCell
    ) {
      let content = StockContent(row, state, prices: prices, at: feeds.now())
      guard cell.contentConfiguration as? StockContent != content else { return }
      cell.contentConfiguration = content
      cell.accessibilityLabel = content.sentence
    }
  }

  extension WatchListController: UICollectionViewDelegate {
    func collectionView(
      _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
      forItemAt indexPath: IndexPath
    ) {
      guard let row = source?.itemIdentifier(for: indexPath) else { return }
      let store = RowStore(row, status: status, feeds: feeds) { [weak self, weak cell] store in
        if let self, let cell { show(store.row, store.state, in: cell) }
      }
      guard let store else { return }
      stores[ObjectIdentifier(cell)] = store
      show(row, store.state, in: cell)
    }

    func collectionView(
      _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
      forItemAt indexPath: IndexPath
    ) {
      stores[ObjectIdentifier(cell)] = nil
    }
  }
#endif
