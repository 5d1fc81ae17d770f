// Screens and the bars around them.

public import Foundation

/// A screen.
@MainActor @preconcurrency open class UIViewController: UIResponder {
  private var loaded: UIView?
  /// The screen's name.
  open var title: String? {
    didSet { if navigationItem.title == nil { navigationItem.title = title } }
  }
  /// What its bar shows.
  public let navigationItem = UINavigationItem()
  /// The stack that it lies in.
  public internal(set) weak var navigationController: UINavigationController?
  /// What its look depends on.
  open var traitCollection: UITraitCollection { hostTraits }
  /// Lets tests say what the look depends on.
  @_spi(Host) public var hostTraits = UITraitCollection(userInterfaceStyle: .light) {
    didSet { (self as any TraitFollower).traitCollectionDidChange(oldValue) }
  }
  /// What its look depends on has changed.
  @available(*, deprecated, message: "register for changes of traits")
  open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}

  /// Makes a screen without a nib.
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

  /// There are no storyboards here: always nil.
  public required init?(coder: NSCoder) { nil }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// Its view; made at first use, and anew after nil was set.
  // rule-exception: Apple's own type
  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return loaded
    }
    set { loaded = newValue }
  }
  /// Whether its view was made.
  open var isViewLoaded: Bool { loaded != nil }
  /// Makes its view, unless it was made.
  open func loadViewIfNeeded() {
    guard loaded == nil else { return }
    loadView()
    viewDidLoad()
  }
  /// Makes its view.
  open func loadView() {
    loaded = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
  }
  /// Its view was made.
  open func viewDidLoad() {}
  /// It comes into sight.
  open func viewWillAppear(_ animated: Bool) {}
  /// It came into sight.
  open func viewDidAppear(_ animated: Bool) {}
  /// It leaves the sight.
  open func viewWillDisappear(_ animated: Bool) {}
  /// It left the sight.
  open func viewDidDisappear(_ animated: Bool) {}
}

/// What a screen's bar shows.
@MainActor @preconcurrency open class UINavigationItem: NSObject {
  /// How large the title is.
  public enum LargeTitleDisplayMode: Int, Sendable {
    /// As on the screen before.
    case automatic = 0
    /// Large.
    case always = 1
    /// Small.
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
  /// How large the title is.
  open var largeTitleDisplayMode = LargeTitleDisplayMode.automatic

  /// Starts with a title.
  public init(title: String) { self.title = title }

  /// There are no storyboards here: always nil.
  public required init?(coder: NSCoder) { nil }

  override init() { super.init() }
}

/// Something that a person can do.
@MainActor @preconcurrency open class UIAction: NSObject {
  /// Its words.
  open var title: String
  let handler: (UIAction) -> Void

  init(words: String, handler: @escaping (UIAction) -> Void) {
    title = words
    self.handler = handler
  }

  /// Makes it.
  public convenience init(
    title: String = "", image: UIImage? = nil, handler: @escaping (UIAction) -> Void
  ) { self.init(words: title, handler: handler) }
}

/// An item of a bar.
@MainActor @preconcurrency open class UIBarButtonItem: NSObject {
  /// Its words.
  open var title: String?
  /// Whether it can be used.
  open var isEnabled = true
  /// The name that a screen reader says.
  public var accessibilityLabel: String?
  /// What it does.
  open var primaryAction: UIAction?
  /// The view in its place.
  open var customView: UIView?

  /// Makes an item that does nothing.
  public override init() { super.init() }

  /// There are no storyboards here: always nil.
  public required init?(coder: NSCoder) { nil }

  /// Makes an item that does something.
  public convenience init(
    title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil
  ) {
    self.init()
    self.title = title ?? primaryAction?.title
    self.primaryAction = primaryAction
  }

  /// Makes an item of a view.
  public convenience init(customView: UIView) {
    self.init()
    self.customView = customView
  }
}

/// Screens on top of each other.
@MainActor @preconcurrency open class UINavigationController: UIViewController {
  /// The screens, the first at the bottom.
  public private(set) var viewControllers: [UIViewController] = []
  /// The bar.
  public let navigationBar = UINavigationBar(frame: .zero)

  /// Starts with a screen.
  public init(rootViewController: UIViewController) {
    super.init(nibName: nil, bundle: nil)
    viewControllers = [rootViewController]
    rootViewController.navigationController = self
  }

  /// There are no storyboards here: always nil.
  public required init?(coder: NSCoder) { nil }

  /// The screen on top.
  open var topViewController: UIViewController? { viewControllers.last }

  /// Puts a screen on top.
  open func pushViewController(_ viewController: UIViewController, animated: Bool) {
    turn(from: topViewController, to: viewController, animated: animated) {
      viewControllers.append(viewController)
      viewController.navigationController = self
    }
  }

  /// Takes the screen on top away, unless it is the first.
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

  /// It comes into sight, and with it the screen on top.
  open override func viewWillAppear(_ animated: Bool) {
    topViewController?.loadViewIfNeeded()
    topViewController?.viewWillAppear(animated)
  }
  /// It came into sight, and with it the screen on top.
  open override func viewDidAppear(_ animated: Bool) { topViewController?.viewDidAppear(animated) }
  /// It leaves the sight, and with it the screen on top.
  open override func viewWillDisappear(_ animated: Bool) {
    topViewController?.viewWillDisappear(animated)
  }
  /// It left the sight, and with it the screen on top.
  open override func viewDidDisappear(_ animated: Bool) {
    topViewController?.viewDidDisappear(animated)
  }
}

/// The bar of a stack of screens.
@MainActor @preconcurrency open class UINavigationBar: UIView {
  /// Whether titles are large.
  open var prefersLargeTitles = false
}
