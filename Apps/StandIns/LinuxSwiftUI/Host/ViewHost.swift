// Stands in for the system: keeps a view's state, evaluates it until nothing changes any more, and
// lets a test do what a person would.

import Combine
public import Foundation

/// Shows a view to a test.
@_spi(Host) @MainActor public final class ViewHost {
  /// What went wrong while the view was used.
  public enum Failure: Error, CustomStringConvertible {
    /// Nothing, or nothing usable, has this name; the names that there are.
    case notFound(String, among: [String])
    /// Several have this name.
    case ambiguous(String, count: Int)
    /// It is there but switched off.
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

  /// Addresses that the view has asked the system to open.
  public private(set) var openedURLs: [URL] = []
  /// What was handed to other apps.
  public private(set) var sharedURLs: [URL] = []
  /// What the view said that SwiftUI would complain about while running.
  public private(set) var complaints: [String] = []
  /// How often the view was evaluated.
  public private(set) var round = 0
  /// The size that GeometryReader and Canvas see.
  public var size = CGSize(width: 390, height: 844) { didSet { changed() } }

  private let root: (Context) -> [ViewNode]
  private let element = Element()
  private var environment = EnvironmentValues()
  private var shown: [ViewNode] = []
  private var isDirty = true
  private var isEvaluating = false
  private var observed: [ObjectIdentifier: AnyCancellable] = [:]
  private var observedNow: Set<ObjectIdentifier> = []
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

  /// What is shown now; evaluates the view if anything changed.
  public var nodes: [ViewNode] {
    render()
    return shown
  }

  /// Evaluates the view until nothing changes any more.
  ///
  /// As at Apple's, what is new appears before what it replaces disappears.
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
    observedNow = []
    openers = []
    var environment = environment
    environment.openURL = OpenURLAction { [weak self] in self?.openedURLs.append($0) }
    let context = Context(host: self, element: element, environment: environment)
    shown = root(context)
    observed = observed.filter { observedNow.contains($0.key) }
    isEvaluating = false
  }

  /// A state changed: what is shown is out of date.
  func changed() {
    precondition(!isEvaluating, "state was changed while a body was read")
    isDirty = true
  }

  func observe<Object: ObservableObject>(_ object: Object) {
    let identifier = ObjectIdentifier(object)
    observedNow.insert(identifier)
    guard observed[identifier] == nil else { return }
    observed[identifier] = object.objectWillChange.sink { [weak self] _ in
      MainActor.assumeIsolated { self?.changed() }
    }
  }

  /// Notes what is to be done once this evaluation is over.
  func afterwards(_ action: @escaping @MainActor () -> Void) { afterwards.append(action) }

  /// Notes what is to be done after that.
  func atLast(_ action: @escaping @MainActor () -> Void) { atLast.append(action) }

  func share(_ items: [URL]) { sharedURLs += items }

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

  /// Lets tasks and publishers go on until a condition holds.
  ///
  /// Gives up after `limit`: the test then finds what it finds.
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
        // Another thread does what is waited for, the disk's for instance: it gets the core.
        try? await Task.sleep(for: .milliseconds(2))
      } else {
        return
      }
    }
  }
}
