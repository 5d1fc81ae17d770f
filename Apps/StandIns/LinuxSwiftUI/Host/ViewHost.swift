import Combine
public import Foundation

/// Shows a view to a test in place of the system: keeps its state, evaluates it until nothing
/// changes, and performs a user's actions.
@_spi(Host) @MainActor public final class ViewHost {
  /// What went wrong while the view was used.
  public enum Failure: Error, CustomStringConvertible {
    /// No usable node has this name; with the names that exist.
    case notFound(String, among: [String])
    /// Several nodes have this name.
    case ambiguous(String, count: Int)
    /// The node exists but is disabled.
    case disabled(String)

    /// For the failed test.
    public var description: String {
      switch self {
      case .notFound(let name, let names): "no “\(name)” among \(names)"
      case .ambiguous(let name, let count): "\(count) are called “\(name)”"
      case .disabled(let name): "“\(name)” is disabled"
      }
    }
  }

  /// The URLs that the view requested to open.
  public private(set) var openedURLs: [URL] = []
  /// The URLs that the view shared.
  public private(set) var sharedURLs: [URL] = []
  /// The feedback that the user has felt, by name.
  public private(set) var felt: [String] = []
  /// Mistakes that SwiftUI would report at run time.
  public private(set) var complaints: [String] = []
  /// The number of evaluations.
  public private(set) var round = 0
  /// The number of views that the changed objects since the last evaluation belong to.
  public var outdatedViews: Int { announced.reduce(0) { $0 + observedNow[$1, default: 0] } }
  /// The size for GeometryReader and Canvas.
  public var size = CGSize(width: 390, height: 844) { didSet { changed() } }

  /// The names of the types of all views on screen that have a body, and of their modifiers.
  public var viewTypes: Set<String> { Set(evaluated.values.map { "\($0)" }) }
  private var evaluated: [ObjectIdentifier: Any.Type] = [:]

  /// What the scene stores, by key; set before the first evaluation, it is restored.
  public var sceneStorage: [String: String] {
    get { restored.merging(stored.mapValues(\.text)) { _, new in new } }
    set { restored = newValue }
  }

  /// The scene's commands.
  var commands: [ViewNode] = []
  private var restored: [String: String] = [:]
  private var stored: [String: any StoredText] = [:]
  private let root: (Context) -> [ViewNode]
  private let element = Element()
  private var environment = EnvironmentValues()
  private var shown: [ViewNode] = []
  private var isDirty = true
  private var isEvaluating = false
  private var observed: [ObjectIdentifier: AnyCancellable] = [:]
  /// The number of views by observed object.
  private var observedNow: [ObjectIdentifier: Int] = [:]
  private var announced: Set<ObjectIdentifier> = []
  private var afterwards: [@MainActor () -> Void] = []
  private var atLast: [@MainActor () -> Void] = []
  private var openers: [(URL) -> Void] = []

  /// Shows a view.
  public init<Root: View>(_ view: Root) { root = { $0.nodes(of: view, at: "root") } }

  /// Shows an app's first scene.
  public init<Root: App>(app: Root) {
    root = { context in
      let scene = context.child("app")
      scene.bind(app)
      return app.body.sceneNodes(in: scene.child("scene"))
    }
  }

  // MARK: Evaluation

  /// The nodes on screen; evaluates the view if anything changed.
  public var nodes: [ViewNode] {
    render()
    return shown
  }

  /// Evaluates the view until nothing changes.
  ///
  /// As at Apple's, new views appear before the views that they replace disappear.
  public func render() {
    guard !isEvaluating else { return }
    var rounds = 0
    while isDirty {
      rounds += 1
      precondition(rounds < 100, "the view never settles: it changes what it shows while shown")
      evaluate()
      let actions = afterwards + atLast
      (afterwards, atLast) = ([], [])
      for action in actions { action() }
      element.sweep(round: round)
    }
  }

  private func evaluate() {
    isDirty = false
    isEvaluating = true
    round += 1
    (observedNow, announced, evaluated) = ([:], [], [:])
    openers = []
    var environment = environment
    environment.openURL = OpenURLAction { [weak self] in self?.openedURLs.append($0) }
    let context = Context(host: self, element: element, environment: environment)
    shown = root(context)
    observed = observed.filter { observedNow[$0.key] != nil }
    isEvaluating = false
  }

  /// Marks the nodes as outdated after a state change.
  func changed() {
    precondition(!isEvaluating, "state was changed while a body was read")
    isDirty = true
  }

  /// The place of a stored value.
  func sceneLocation<Value>(_ key: String, _ initial: Value) -> StateLocation<Value> {
    if let known = stored[key] as? StateLocation<Value> { return known }
    let location = StateLocation(restored[key] as? Value ?? initial) { [weak self] in
      self?.changed()
    }
    stored[key] = location
    return location
  }

  func observe<Object: ObservableObject>(_ object: Object) {
    let identifier = ObjectIdentifier(object)
    observedNow[identifier, default: 0] += 1
    guard observed[identifier] == nil else { return }
    observed[identifier] = object.objectWillChange.sink { [weak self] _ in
      MainActor.assumeIsolated {
        self?.announced.insert(identifier)
        self?.changed()
      }
    }
  }

  /// Schedules an action for the end of this evaluation.
  func afterwards(_ action: @escaping @MainActor () -> Void) { afterwards.append(action) }

  /// Schedules an action after those.
  func atLast(_ action: @escaping @MainActor () -> Void) { atLast.append(action) }

  func note(_ type: Any.Type) { evaluated[ObjectIdentifier(type)] = type }

  func share(_ items: [URL]) { sharedURLs += items }

  func feel(_ name: String) { felt.append(name) }

  func complain(_ text: String) { complaints.append(text) }

  func addOpener(_ opener: @escaping (URL) -> Void) { openers.append(opener) }

  // MARK: The system's part

  /// Sets a value of the environment.
  public func set<Value>(_ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) {
    environment[keyPath: keyPath] = value
    isDirty = true
    render()
  }

  /// Opens a link into the app, as the system does.
  public func open(_ url: URL) {
    render()
    for opener in openers { opener(url) }
    render()
  }

  /// Runs tasks and publishers until a condition holds.
  ///
  /// Gives up after `limit`: the test then fails on what it finds.
  public func settle(
    within limit: Duration = .seconds(120), until condition: () -> Bool
  ) async {
    let deadline = ContinuousClock.now + limit
    var turns = 0
    while true {
      render()
      if condition() { return }
      turns += 1
      if turns < 2000 {
        await Task.yield()
      } else if ContinuousClock.now < deadline {
        // Leaves the core to another thread, such as the disk's, that does the work.
        try? await Task.sleep(for: .milliseconds(2))
      } else {
        return
      }
    }
  }
}

/// A location whose value can be stored.
private protocol StoredText { var text: String { get } }

extension StateLocation: StoredText {
  fileprivate var text: String { "\(value)" }
}
