// A list whose rows are made when they come into sight and reused when they have left it. Rows have
// one height; which are in sight is the test's to say.

public import Foundation

extension IndexPath {
  /// The place of an item in a section.
  public init(item: Int, section: Int) { self = [section, item] }
  /// The section.
  public var section: Int { self[0] }
  /// The item in its section.
  public var item: Int { self[1] }
}

/// Places a list's rows.
@MainActor @preconcurrency open class UICollectionViewLayout: NSObject {
  /// Makes it.
  public override init() { super.init() }

  /// There are no storyboards here: always nil.
  public required init?(coder: NSCoder) { nil }
}

/// How a list looks.
public struct UICollectionLayoutListConfiguration {
  /// How a list looks.
  public enum Appearance: Hashable {
    /// Rows from edge to edge.
    case plain
    /// Rows in groups.
    case grouped
    /// Rows in rounded groups.
    case insetGrouped
  }

  /// How it looks.
  public let appearance: Appearance
  /// Whether lines stand between rows.
  public var showsSeparators = true

  /// Makes a list's look.
  public init(appearance: Appearance) { self.appearance = appearance }
}

/// Places rows by rules.
@MainActor @preconcurrency
open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
  override init() { super.init() }

  /// There are no storyboards here: always nil.
  public required init?(coder: NSCoder) { nil }

  /// Rows below each other.
  public static func list(
    using configuration: UICollectionLayoutListConfiguration
  ) -> UICollectionViewCompositionalLayout { UICollectionViewCompositionalLayout() }
}

/// A view that can be used again.
@MainActor @preconcurrency open class UICollectionReusableView: UIView {
  /// Called before it is used again.
  open func prepareForReuse() {}
}

/// A row of a list.
@MainActor @preconcurrency open class UICollectionViewCell: UICollectionReusableView {
  /// Holds what the row shows.
  public let contentView = UIView(frame: .zero)
  /// What it shows, as a value; the view that shows it is kept as long as it is of the same kind.
  public var contentConfiguration: (any UIContentConfiguration)? {
    didSet { showContent(oldValue) }
  }
  private var content: (any UIView & UIContentView)?

  /// Makes a row; required here since Linux can't find the initializer of a subclass while
  /// running.
  public required override init(frame: CGRect) {
    super.init(frame: frame)
    addSubview(contentView)
  }

  /// There are no storyboards here: always nil.
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

/// A row of a list in the system's look.
@MainActor @preconcurrency open class UICollectionViewListCell: UICollectionViewCell {
  /// What such a row shows at first.
  public func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }
}

/// Fills a list.
@MainActor @preconcurrency public protocol UICollectionViewDataSource: NSObjectProtocol {
  /// How many items a section has.
  func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int
  /// The row of an item.
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
  /// How many sections.
  func numberOfSections(in collectionView: UICollectionView) -> Int
}

extension UICollectionViewDataSource {
  /// One section.
  public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
}

/// Is told what happens to a list.
@MainActor @preconcurrency public protocol UICollectionViewDelegate: NSObjectProtocol {
  /// A row comes into sight.
  func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath)
  /// A row has left the sight.
  func collectionView(
    _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath)
  /// The person chose a row.
  func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
}

extension UICollectionViewDelegate {
  /// Nothing.
  public func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {}
  /// Nothing.
  public func collectionView(
    _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {}
  /// Nothing.
  public func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) {}
}

/// A list.
@MainActor @preconcurrency open class UICollectionView: UIView {
  /// Fills it.
  open weak var dataSource: (any UICollectionViewDataSource)?
  /// Is told what happens.
  open weak var delegate: (any UICollectionViewDelegate)?
  /// Whether a tap chooses a row.
  open var allowsSelection = true
  /// Places the rows.
  open var collectionViewLayout: UICollectionViewLayout

  /// The rows in sight, by their places.
  private var shown: [IndexPath: UICollectionViewCell] = [:]
  private var unused: [ObjectIdentifier: [UICollectionViewCell]] = [:]
  /// The cell that is configured anew in place.
  var inPlace: UICollectionViewCell?
  /// Which of all rows, counted through all sections, are in sight.
  private var window = 0..<0
  /// How often rows were configured, by their places: what a test counts to see that a change
  /// touched one row only.
  @_spi(Host) public private(set) var configurations: [IndexPath: Int] = [:]

  /// Makes a list.
  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
    collectionViewLayout = layout
    super.init(frame: frame)
  }

  /// There are no storyboards here: always nil.
  public required init?(coder: NSCoder) { nil }

  /// The places of the rows in sight.
  open var indexPathsForVisibleItems: [IndexPath] { shown.keys.sorted() }
  /// The rows in sight.
  open var visibleCells: [UICollectionViewCell] {
    indexPathsForVisibleItems.compactMap { shown[$0] }
  }
  /// How many sections.
  open var numberOfSections: Int { dataSource?.numberOfSections(in: self) ?? 0 }
  /// How many items a section has.
  open func numberOfItems(inSection section: Int) -> Int {
    dataSource?.collectionView(self, numberOfItemsInSection: section) ?? 0
  }
  /// The row at a place; nil while it is out of sight.
  open func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? { shown[indexPath] }
  /// Takes the choice of a row back.
  open func deselectItem(at indexPath: IndexPath, animated: Bool) {}

  /// How a kind of row is made and filled.
  public struct CellRegistration<Cell: UICollectionViewCell, Item> {
    /// Fills a row.
    public typealias Handler = (
      _ cell: Cell, _ indexPath: IndexPath, _ itemIdentifier: Item
    ) -> Void
    let handler: Handler

    /// Says how rows are filled.
    public init(handler: @escaping Handler) { self.handler = handler }
  }

  /// A row for an item, filled: the one it has when it is filled anew, an unused one, or a new one.
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

  // MARK: What is in sight

  private var places: [IndexPath] {
    (0..<numberOfSections).flatMap { section in
      (0..<numberOfItems(inSection: section)).map { IndexPath(item: $0, section: section) }
    }
  }

  /// Rows come into sight and leave it, as by scrolling.
  @_spi(Host) public func show(rows: Range<Int>) {
    window = rows
    update(moved: [:])
  }

  /// Rows are what the data source says now.
  ///
  /// - Parameters:
  ///   - moved: where rows in sight went to, by where they were.
  ///   - replaced: the places of rows that are made anew.
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

  /// A row in sight is filled anew in place.
  func reconfigure(_ place: IndexPath) {
    guard let cell = shown[place] else { return }
    inPlace = cell
    _ = dataSource?.collectionView(self, cellForItemAt: place)
    inPlace = nil
  }
}
