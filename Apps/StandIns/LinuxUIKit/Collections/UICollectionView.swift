public import Foundation

extension IndexPath {
  /// An item's index path.
  public init(item: Int, section: Int) { self = [section, item] }
  /// The section.
  public var section: Int { self[0] }
  /// The item in its section.
  public var item: Int { self[1] }
}

/// A layout of cells.
@MainActor @preconcurrency open class UICollectionViewLayout: NSObject {
  /// Creates an instance.
  public override init() { super.init() }

  /// Always nil: there are no storyboards here.
  public required init?(coder: NSCoder) { nil }
}

/// A list style.
public struct UICollectionLayoutListConfiguration {
  /// A list style.
  public enum Appearance: Hashable {
    case plain
    case grouped
    case insetGrouped
  }

  /// The appearance.
  public let appearance: Appearance
  /// Whether separators are shown.
  public var showsSeparators = true

  /// Creates a configuration.
  public init(appearance: Appearance) { self.appearance = appearance }
}

/// A layout by rules.
@MainActor @preconcurrency
open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
  override init() { super.init() }

  /// Always nil: there are no storyboards here.
  public required init?(coder: NSCoder) { nil }

  /// A list layout.
  public static func list(
    using configuration: UICollectionLayoutListConfiguration
  ) -> UICollectionViewCompositionalLayout { UICollectionViewCompositionalLayout() }
}

/// A reusable view.
@MainActor @preconcurrency open class UICollectionReusableView: UIView {
  /// Called before reuse.
  open func prepareForReuse() {}
}

/// A cell.
@MainActor @preconcurrency open class UICollectionViewCell: UICollectionReusableView {
  /// The view with the cell's content.
  public let contentView = UIView(frame: .zero)
  /// The content as a value; its view is reused while the configuration's type stays the same.
  public var contentConfiguration: (any UIContentConfiguration)? {
    didSet { showContent(oldValue) }
  }
  private var content: (any UIView & UIContentView)?

  /// Creates a cell; required here since Linux can't find a subclass's initializer at run time.
  public required override init(frame: CGRect) {
    super.init(frame: frame)
    addSubview(contentView)
  }

  /// Always nil: there are no storyboards here.
  public required init?(coder: NSCoder) { nil }

  private func showContent(_ old: (any UIContentConfiguration)?) {
    if let content, let old, let contentConfiguration,
      type(of: old) == type(of: contentConfiguration)
    {
      content.configuration = contentConfiguration
      return
    }
    content?.removeFromSuperview()
    content = contentConfiguration?.makeContentView()
    if let content { contentView.addSubview(content) }
  }
}

/// A list cell in the system's style.
@MainActor @preconcurrency open class UICollectionViewListCell: UICollectionViewCell {
  /// The default content.
  public func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }
}

/// The data source of a collection view.
@MainActor @preconcurrency public protocol UICollectionViewDataSource: NSObjectProtocol {
  func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
  func numberOfSections(in collectionView: UICollectionView) -> Int
}

extension UICollectionViewDataSource {
  /// Defaults to one section.
  public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
}

/// A collection view's delegate.
@MainActor @preconcurrency public protocol UICollectionViewDelegate: NSObjectProtocol {
  func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath)
  func collectionView(
    _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath)
  func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
}

extension UICollectionViewDelegate {
  /// No effect by default.
  public func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {}
  /// No effect by default.
  public func collectionView(
    _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {}
  /// No effect by default.
  public func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) {}
}

/// A list of rows of one height, which are created when they become visible and reused afterwards;
/// the test sets which are visible.
@MainActor @preconcurrency open class UICollectionView: UIView {
  /// The data source.
  open weak var dataSource: (any UICollectionViewDataSource)?
  /// The delegate.
  open weak var delegate: (any UICollectionViewDelegate)?
  /// Whether a tap selects a row.
  open var allowsSelection = true
  /// The layout.
  open var collectionViewLayout: UICollectionViewLayout

  private var shown: [IndexPath: UICollectionViewCell] = [:]
  private var unused: [ObjectIdentifier: [UICollectionViewCell]] = [:]
  /// The cell that is being reconfigured in place.
  var inPlace: UICollectionViewCell?
  /// The visible rows, counted through all sections.
  private var window = 0..<0
  /// How often rows were configured, by index path: a test checks that a change touched one row
  /// only.
  @_spi(Host) public private(set) var configurations: [IndexPath: Int] = [:]

  /// Creates a collection view.
  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
    collectionViewLayout = layout
    super.init(frame: frame)
  }

  /// Always nil: there are no storyboards here.
  public required init?(coder: NSCoder) { nil }

  /// The visible index paths.
  open var indexPathsForVisibleItems: [IndexPath] { shown.keys.sorted() }
  /// The visible cells.
  open var visibleCells: [UICollectionViewCell] {
    indexPathsForVisibleItems.compactMap { shown[$0] }
  }
  /// The number of sections.
  open var numberOfSections: Int { dataSource?.numberOfSections(in: self) ?? 0 }
  /// The number of items in a section.
  open func numberOfItems(inSection section: Int) -> Int {
    dataSource?.collectionView(self, numberOfItemsInSection: section) ?? 0
  }
  /// The cell at an index path; nil while it is not visible.
  open func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? { shown[indexPath] }
  /// Deselects a row.
  open func deselectItem(at indexPath: IndexPath, animated: Bool) {}

  /// A cell registration.
  public struct CellRegistration<Cell: UICollectionViewCell, Item> {
    /// Configures a cell.
    public typealias Handler = (
      _ cell: Cell, _ indexPath: IndexPath, _ itemIdentifier: Item
    ) -> Void
    let handler: Handler

    /// Creates a registration with a handler.
    public init(handler: @escaping Handler) { self.handler = handler }
  }

  /// A configured cell for an item: its present one when reconfiguring, a reused one, or a new one.
  public func dequeueConfiguredReusableCell<Cell: UICollectionViewCell, Item>(
    using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
  ) -> Cell {
    var cell = inPlace as? Cell
    if cell == nil, let known = unused[ObjectIdentifier(Cell.self)]?.popLast() as? Cell {
      known.prepareForReuse()
      cell = known
    }
    let row = cell ?? Cell(frame: .zero)
    configurations[indexPath, default: 0] += 1
    if let item { registration.handler(row, indexPath, item) }
    return row
  }

  // MARK: Visible rows

  private var places: [IndexPath] {
    (0..<numberOfSections).flatMap { section in
      (0..<numberOfItems(inSection: section)).map { IndexPath(item: $0, section: section) }
    }
  }

  /// Makes rows visible, as by scrolling.
  @_spi(Host) public func show(rows: Range<Int>) {
    window = rows
    update(moved: [:])
  }

  /// Updates the rows from the data source.
  ///
  /// - Parameters:
  ///   - moved: the new place of each visible row, by its old place.
  ///   - replaced: the places of rows to create again.
  func update(moved: [IndexPath: IndexPath?], replaced: Set<IndexPath> = []) {
    var kept: [IndexPath: UICollectionViewCell] = [:]
    var left: [(IndexPath, UICollectionViewCell)] = []
    let places = places
    let inSight = Set(places[window.clamped(to: 0..<places.count)])
    for (old, cell) in shown.sorted(by: { $0.key < $1.key }) {
      let new = moved[old] ?? old
      if let new, inSight.contains(new), !replaced.contains(new) {
        kept[new] = cell
      } else {
        left.append((old, cell))
      }
    }
    shown = kept
    for (place, cell) in left {
      cell.removeFromSuperview()
      delegate?.collectionView(self, didEndDisplaying: cell, forItemAt: place)
      unused[ObjectIdentifier(type(of: cell)), default: []].append(cell)
    }
    for place in inSight.sorted() where shown[place] == nil {
      guard let cell = dataSource?.collectionView(self, cellForItemAt: place) else { continue }
      addSubview(cell)
      shown[place] = cell
      delegate?.collectionView(self, willDisplay: cell, forItemAt: place)
    }
  }

  func reconfigure(_ place: IndexPath) {
    guard let cell = shown[place] else { return }
    inPlace = cell
    _ = dataSource?.collectionView(self, cellForItemAt: place)
    inPlace = nil
  }
}
