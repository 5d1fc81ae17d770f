import Foundation
import Testing

// By its own name: with Testing, a module called UIKit makes the compiler look for an overlay that
// Linux lacks.
@_spi(Host) import LinuxUIKit

@MainActor @Suite struct CollectionTests {
  /// A list of numbers that records its delegate calls.
  final class List: UIViewController, UICollectionViewDelegate {
    var log: [String] = []
    var words: [Int: String] = [:]
    private(set) var source: UICollectionViewDiffableDataSource<Int, Int>?
    private(set) var list: UICollectionView?

    init() { super.init(nibName: nil, bundle: nil) }
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      let layout = UICollectionViewCompositionalLayout.list(using: .init(appearance: .plain))
      let list = UICollectionView(frame: view.bounds, collectionViewLayout: layout)
      list.delegate = self
      view.addSubview(list)
      let registration = UICollectionView.CellRegistration<UICollectionViewListCell, Int> {
        [weak self] cell, _, number in
        var content = cell.defaultContentConfiguration()
        content.text = self?.words[number] ?? "\(number)"
        cell.contentConfiguration = content
      }
      source = UICollectionViewDiffableDataSource(collectionView: list) { list, place, number in
        list.dequeueConfiguredReusableCell(using: registration, for: place, item: number)
      }
      self.list = list
      navigationItem.rightBarButtonItem = UIBarButtonItem(
        primaryAction: UIAction(title: "Sort") { [weak self] _ in self?.log.append("sort") })
    }

    func show(_ numbers: [Int], reconfiguring: [Int] = []) {
      var snapshot = NSDiffableDataSourceSnapshot<Int, Int>()
      snapshot.appendSections([0])
      snapshot.appendItems(numbers)
      snapshot.reconfigureItems(reconfiguring)
      source?.apply(snapshot, animatingDifferences: false)
    }

    func collectionView(
      _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
      forItemAt indexPath: IndexPath
    ) { log.append("+\(indexPath.item)") }

    func collectionView(
      _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
      forItemAt indexPath: IndexPath
    ) { log.append("-\(indexPath.item)") }

    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
      log.append("choose \(indexPath.item)")
    }
  }

  private func make(_ numbers: [Int], rows: Range<Int>) throws -> (List, UICollectionView) {
    let screen = List()
    screen.loadViewIfNeeded()
    let list = try #require(screen.list)
    list.show(rows: rows)
    screen.show(numbers)
    return (screen, list)
  }

  @Test func `only visible rows are created, scrolling is reported`() throws {
    let (screen, list) = try make(Array(0..<100), rows: 0..<3)
    #expect(screen.view.texts == ["0", "1", "2"])
    list.show(rows: 2..<5)
    #expect(screen.view.texts == ["2", "3", "4"])
    #expect(screen.log == ["+0", "+1", "+2", "-0", "-1", "+3", "+4"])
    list.select(IndexPath(item: 3, section: 0))
    #expect(screen.log.last == "choose 3")
  }

  @Test func `a reconfigured item changes only its own row, in the same cell`() throws {
    let (screen, list) = try make([7, 8, 9], rows: 0..<3)
    let place = IndexPath(item: 1, section: 0)
    let cell = list.cellForItem(at: place)
    screen.words[8] = "eight"
    screen.log = []
    screen.show([7, 8, 9], reconfiguring: [8])
    #expect(screen.view.texts == ["7", "eight", "9"])
    #expect(list.cellForItem(at: place) === cell)
    #expect(list.configurations.sorted { $0.key < $1.key }.map(\.value) == [1, 2, 1])
    #expect(screen.log.isEmpty, "no row left or entered the sight")
  }

  @Test func `rows move with their items, and cells are used again`() throws {
    let (screen, list) = try make([1, 2, 3], rows: 0..<2)
    let first = list.cellForItem(at: IndexPath(item: 0, section: 0))
    screen.show([2, 1, 3])
    #expect(list.cellForItem(at: IndexPath(item: 1, section: 0)) === first)
    screen.show([3])
    #expect(screen.view.texts == ["3"])
    #expect(screen.source?.indexPath(for: 3) == IndexPath(item: 0, section: 0))
    #expect(screen.source?.itemIdentifier(for: IndexPath(item: 5, section: 0)) == nil)
  }

  @Test func `a scene starts, and screens are notified of push and pop`() throws {
    final class Screen: UIViewController {
      var log: [String] = []
      override func viewWillAppear(_ animated: Bool) { log.append("appears") }
      override func viewDidDisappear(_ animated: Bool) { log.append("left") }
    }
    final class Delegate: NSObject, UIWindowSceneDelegate {
      var window: UIWindow?
      var phases: [String] = []
      let first = Screen(nibName: nil, bundle: nil)
      func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
      ) {
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = UINavigationController(rootViewController: first)
        window.makeKeyAndVisible()
        self.window = window
      }
      func sceneDidEnterBackground(_ scene: UIScene) { phases.append("background") }
      func sceneWillEnterForeground(_ scene: UIScene) { phases.append("foreground") }
    }
    let delegate = Delegate()
    let host = SceneHost(delegate)
    #expect(host.top === delegate.first)
    host.top?.navigationController?.pushViewController(
      UIViewController(nibName: nil, bundle: nil), animated: false)
    #expect(host.top !== delegate.first)
    host.top?.navigationController?.popViewController(animated: false)
    #expect(delegate.first.log == ["appears", "left", "appears"])
    host.enterBackground()
    host.enterForeground()
    #expect(delegate.phases == ["foreground", "background", "foreground"])
  }

  @Test func `an item of a bar is tapped, unless it is switched off`() throws {
    let (screen, _) = try make([], rows: 0..<0)
    let item = try #require(screen.navigationItem.rightBarButtonItem)
    #expect(item.title == "Sort")
    item.tap()
    item.isEnabled = false
    item.tap()
    #expect(screen.log == ["sort"])
  }

  @Test func `a colour can depend on light and dark`() {
    let colour = UIColor { $0.userInterfaceStyle == .dark ? .systemRed : .systemGreen }
    let dark = UITraitCollection(userInterfaceStyle: .dark)
    #expect(colour.resolvedColor(with: dark).name == "systemRed")
    #expect(colour.withAlphaComponent(0.5).resolvedColor(with: dark).name == "systemRed@0.5")
  }

  @Test func `what may be reset has a value again afterwards`() {
    let label = UILabel(frame: .zero)
    label.textColor = .systemRed
    label.textColor = nil
    #expect(label.textColor.name == "label")
    label.font = nil
    #expect(label.font.name == "body")
    let screen = UIViewController(nibName: nil, bundle: nil)
    let first = screen.view
    screen.view = nil
    #expect(!screen.isViewLoaded)
    #expect(screen.view !== first)
  }

  @Test func `an awaited snapshot is applied on return`() async throws {
    let (screen, list) = try make([1], rows: 0..<9)
    var snapshot = NSDiffableDataSourceSnapshot<Int, Int>()
    snapshot.appendSections([0])
    snapshot.appendItems([2, 3])
    await screen.source?.apply(snapshot)
    #expect(screen.view.texts == ["2", "3"])
    #expect(list.numberOfItems(inSection: 0) == 2)
  }

  @Test func `a view reports trait changes until the handler is unregistered`() {
    final class View: UIView {
      var sizes: [Bool] = []
      override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        sizes.append(traitCollection.preferredContentSizeCategory.isAccessibilityCategory)
      }
    }
    let view = View(frame: .zero)
    var told: [ObjectIdentifier] = []
    let registration = view.registerForTraitChanges(
      [UITraitPreferredContentSizeCategory.self]
    ) { (view: View, _: UITraitCollection) in told.append(ObjectIdentifier(view)) }
    view.hostTraits = UITraitCollection(preferredContentSizeCategory: .accessibilityMedium)
    view.unregisterForTraitChanges(registration)
    view.hostTraits = UITraitCollection(userInterfaceStyle: .dark)
    #expect(told == [ObjectIdentifier(view)])
    #expect(view.sizes == [true, false])
  }
}
