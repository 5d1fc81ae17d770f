public import Foundation

/// A view controller.
@MainActor @preconcurrency open class UIViewController: UIResponder {
  private var loaded: UIView?
  /// The title.
  open var title: String? {
    didSet { if navigationItem.title == nil { navigationItem.title = title } }
  }
  /// The navigation item.
  public let navigationItem = UINavigationItem()
  /// The enclosing navigation controller.
  public internal(set) weak var navigationController: UINavigationController?
  /// The traits.
  open var traitCollection: UITraitCollection { hostTraits }
  /// The traits that a test sets.
  @_spi(Host) public var hostTraits = UITraitCollection(userInterfaceStyle: .light) {
    didSet { (self as any TraitFollower).traitCollectionDidChange(oldValue) }
  }
  /// Called after the traits changed.
  @available(*, deprecated, message: "register for changes of traits")
  open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}

  /// Creates a view controller without a nib.
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

  /// Always nil: there are no storyboards here.
  public required init?(coder: NSCoder) { nil }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The view; created at first use, and again after it was set to nil.
  // rule-exception: Apple's own type
  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return loaded
    }
    set { loaded = newValue }
  }
  /// Whether the view is loaded.
  open var isViewLoaded: Bool { loaded != nil }
  /// Loads the view if needed.
  open func loadViewIfNeeded() {
    guard loaded == nil else { return }
    loadView()
    viewDidLoad()
  }
  /// Creates the view.
  open func loadView() {
    loaded = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
  }
  /// Called after the view was loaded.
  open func viewDidLoad() {}
  /// Called before the view appears.
  open func viewWillAppear(_ animated: Bool) {}
  /// Called after the view appeared.
  open func viewDidAppear(_ animated: Bool) {}
  /// Called before the view disappears.
  open func viewWillDisappear(_ animated: Bool) {}
  /// Called after the view disappeared.
  open func viewDidDisappear(_ animated: Bool) {}
}

/// A navigation item.
@MainActor @preconcurrency open class UINavigationItem: NSObject {
  /// The title's size.
  public enum LargeTitleDisplayMode: Int, Sendable {
    case automatic = 0
    case always = 1
    case never = 2
  }

  /// The title.
  open var title: String?
  /// A line above the title.
  open var prompt: String?
  /// The item at the end.
  open var rightBarButtonItem: UIBarButtonItem?
  /// The item at the start.
  open var leftBarButtonItem: UIBarButtonItem?
  /// Whether the item at the start is beside the back button instead of in its place.
  open var leftItemsSupplementBackButton = false
  /// The title's size.
  open var largeTitleDisplayMode = LargeTitleDisplayMode.automatic

  /// Starts with a title.
  public init(title: String) { self.title = title }

  /// Always nil: there are no storyboards here.
  public required init?(coder: NSCoder) { nil }

  override init() { super.init() }
}

/// An action.
@MainActor @preconcurrency open class UIAction: NSObject {
  /// The text.
  open var title: String
  let handler: (UIAction) -> Void

  init(words: String, handler: @escaping (UIAction) -> Void) {
    title = words
    self.handler = handler
  }

  /// Creates an instance.
  public convenience init(
    title: String = "", image: UIImage? = nil, handler: @escaping (UIAction) -> Void
  ) { self.init(words: title, handler: handler) }
}

/// A toolbar item.
@MainActor @preconcurrency open class UIBarButtonItem: NSObject {
  /// The text.
  open var title: String?
  /// Whether it is enabled.
  open var isEnabled = true
  /// The screen reader's label.
  public var accessibilityLabel: String?
  /// The action.
  open var primaryAction: UIAction?
  /// The custom view.
  open var customView: UIView?

  /// Creates an item without an action.
  public override init() { super.init() }

  /// Always nil: there are no storyboards here.
  public required init?(coder: NSCoder) { nil }

  /// Creates an item with an action.
  public convenience init(
    title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil
  ) {
    self.init()
    self.title = title ?? primaryAction?.title
    self.primaryAction = primaryAction
  }

  /// Creates an item with a view.
  public convenience init(customView: UIView) {
    self.init()
    self.customView = customView
  }
}

/// A navigation stack.
@MainActor @preconcurrency open class UINavigationController: UIViewController {
  /// The view controllers, root first.
  public private(set) var viewControllers: [UIViewController] = []
  /// The bar.
  public let navigationBar = UINavigationBar(frame: .zero)

  /// Starts with a screen.
  public init(rootViewController: UIViewController) {
    super.init(nibName: nil, bundle: nil)
    viewControllers = [rootViewController]
    rootViewController.navigationController = self
  }

  /// Always nil: there are no storyboards here.
  public required init?(coder: NSCoder) { nil }

  /// The top view controller.
  open var topViewController: UIViewController? { viewControllers.last }

  /// Pushes a screen.
  open func pushViewController(_ viewController: UIViewController, animated: Bool) {
    turn(from: topViewController, to: viewController, animated: animated) {
      viewControllers.append(viewController)
      viewController.navigationController = self
    }
  }

  /// Pops the top view controller, unless it is the root.
  @discardableResult open func popViewController(animated: Bool) -> UIViewController? {
    guard viewControllers.count > 1, let top = viewControllers.last else { return nil }
    turn(from: top, to: viewControllers[viewControllers.count - 2], animated: animated) {
      viewControllers.removeLast()
      top.navigationController = nil
    }
    return top
  }

  private func turn(
    from old: UIViewController?, to new: UIViewController, animated: Bool, change: () -> Void
  ) {
    new.loadViewIfNeeded()
    old?.viewWillDisappear(animated)
    new.viewWillAppear(animated)
    change()
    old?.viewDidDisappear(animated)
    new.viewDidAppear(animated)
  }

  /// Forwards to the top view controller.
  open override func viewWillAppear(_ animated: Bool) {
    topViewController?.loadViewIfNeeded()
    topViewController?.viewWillAppear(animated)
  }
  /// Forwards to the top view controller.
  open override func viewDidAppear(_ animated: Bool) { topViewController?.viewDidAppear(animated) }
  /// Forwards to the top view controller.
  open override func viewWillDisappear(_ animated: Bool) {
    topViewController?.viewWillDisappear(animated)
  }
  /// Forwards to the top view controller.
  open override func viewDidDisappear(_ animated: Bool) {
    topViewController?.viewDidDisappear(animated)
  }
}

/// A navigation bar.
@MainActor @preconcurrency open class UINavigationBar: UIView {
  /// Whether titles are large.
  open var prefersLargeTitles = false
}
