public import Foundation

/// A collection view's data source of snapshots: equal items stay, reconfigured items are
/// configured again.
@MainActor @preconcurrency
open class UICollectionViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>:
  NSObject, UICollectionViewDataSource
where
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
{
  /// Creates an item's cell.
  public typealias CellProvider = (
    _ collectionView: UICollectionView, _ indexPath: IndexPath,
    _ itemIdentifier: ItemIdentifierType
  ) -> UICollectionViewCell?
  private typealias Snapshot = NSDiffableDataSourceSnapshot<
    SectionIdentifierType, ItemIdentifierType
  >

  private weak var list: UICollectionView?
  private let provider: CellProvider
  private var current = Snapshot()

  /// The data source of a collection view.
  public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {
    list = collectionView
    provider = cellProvider
    super.init()
    collectionView.dataSource = self
  }

  /// The current snapshot.
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    current
  }

  /// The item at an index path.
  open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? {
    guard current.sections.indices.contains(indexPath.section) else { return nil }
    let items = current.sections[indexPath.section].items
    return items.indices.contains(indexPath.item) ? items[indexPath.item] : nil
  }

  /// An item's index path.
  open func indexPath(for itemIdentifier: ItemIdentifierType) -> IndexPath? {
    for (section, entry) in current.sections.enumerated() {
      if let item = entry.items.firstIndex(of: itemIdentifier) {
        return IndexPath(item: item, section: section)
      }
    }
    return nil
  }

  /// Applies a snapshot.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {
    let before = current
    current = snapshot
    current.forgetChanges()
    var moved: [IndexPath: IndexPath?] = [:]
    for (section, entry) in before.sections.enumerated() {
      for (item, identifier) in entry.items.enumerated() {
        moved[IndexPath(item: item, section: section)] = .some(indexPath(for: identifier))
      }
    }
    let replaced = Set(snapshot.reloaded.compactMap { indexPath(for: $0) })
    list?.update(moved: moved, replaced: replaced)
    for identifier in snapshot.reconfiguredItemIdentifiers {
      if let place = indexPath(for: identifier) { list?.reconfigure(place) }
    }
    completion?()
  }

  /// Applies a snapshot; returns when it is applied.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true
  ) async { apply(snapshot, animatingDifferences: animatingDifferences, completion: nil) }

  /// The number of sections.
  open func numberOfSections(in collectionView: UICollectionView) -> Int {
    current.numberOfSections
  }

  /// The number of items in a section.
  open func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int {
    current.sections.indices.contains(section) ? current.sections[section].items.count : 0
  }

  /// An item's cell.
  open func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    guard let item = itemIdentifier(for: indexPath),
      let cell = provider(collectionView, indexPath, item)
    else { preconditionFailure("a row without a cell at \(indexPath)") }
    return cell
  }
}
