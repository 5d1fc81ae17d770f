public import Foundation

extension ViewHost {
  // MARK: Queries

  /// All texts on screen, in order.
  public var texts: [String] { nodes.flatMap(\.texts) }

  /// Every node on screen, in order.
  public var all: [ViewNode] { nodes.flatMap(\.all) }

  /// The title of the front screen.
  public var navigationTitle: String? {
    all.last { $0.attributes[.navigationTitle] != nil }?.attributes[.navigationTitle]
  }

  /// The smallest node with this name, with the attributes of its ancestors.
  ///
  /// Nil when there is no such node; the first of several.
  public func attributes(of name: String) -> [ViewNode.Attribute: String]? {
    func search(
      _ node: ViewNode, _ above: [ViewNode.Attribute: String]
    ) -> [ViewNode.Attribute: String]? {
      let here = above.merging(node.attributes) { _, inner in inner }
      for child in node.children {
        if let found = search(child, here) { return found }
      }
      let isNamed =
        node.text == name || node.attributes[.accessibilityLabel] == name
        || node.attributes[.accessibilityIdentifier] == name
      return isNamed ? here : nil
    }
    for node in nodes {
      if let found = search(node, [:]) { return found }
    }
    return nil
  }

  /// The first node of a kind that contains a text.
  public func node(_ kind: ViewNode.Kind, saying text: String) -> ViewNode? {
    all.first { $0.kind == kind && ($0.label == text || $0.texts.contains(text)) }
  }

  // MARK: User actions

  /// Taps the node with this name.
  public func tap(_ name: String) throws {
    try find(name) { $0.actions.tap }()
    render()
  }

  /// Swipes over the row with this text and taps an action there.
  public func swipe(_ row: String, _ action: String) throws {
    let rows = all.filter { !$0.actions.swipes.isEmpty && $0.texts.contains(row) }
    guard let row = rows.first else { throw Failure.notFound(row, among: []) }
    let actions = row.actions.swipes.flatMap(\.all).filter { $0.actions.tap != nil }
    guard let found = actions.first(where: { $0.label == action && $0.isEnabled }) else {
      throw Failure.notFound(action, among: actions.map(\.label))
    }
    found.actions.tap?()
    render()
  }

  /// Presses ⌘ and a key of a hardware keyboard; the title of the control that it belongs to.
  @discardableResult public func pressCommand(_ key: Character) throws -> String {
    let named = (nodes.flatMap(\.all) + commands.flatMap(\.all)).filter {
      $0.attributes[.other("keyboardShortcut")] == String(key)
    }
    guard let control = named.last else { throw Failure.notFound("⌘\(key)", among: []) }
    guard named.count == 1 else { throw Failure.ambiguous("⌘\(key)", count: named.count) }
    guard let usable = control.all.first(where: { $0.isEnabled && $0.actions.tap != nil }) else {
      throw Failure.disabled("⌘\(key)")
    }
    usable.actions.tap?()
    render()
    return control.label
  }

  /// Taps the node twice, faster than the view can follow.
  public func doubleTap(_ name: String) throws {
    let tap = try find(name) { $0.actions.tap }
    tap()
    tap()
    render()
  }

  /// Gives the keyboard to the field with this name.
  public func focus(_ name: String) throws {
    try find(name) { $0.actions.focus }()
    render()
  }

  /// Replaces the text of the field with this name.
  public func type(_ text: String, into name: String) throws {
    try find(name) { $0.actions.type }(text)
    render()
  }

  /// Presses return in the field with this name.
  public func submit(_ name: String) throws {
    try find(name) { $0.actions.submit }()
    render()
  }

  /// Selects an option of the picker with this name.
  public func choose(_ option: String, in name: String) throws {
    let picker = try findNode(name) { $0.actions.choose != nil }
    let options = picker.all.filter { $0.kind == .option }
    guard let found = options.first(where: { $0.label == option || $0.texts.contains(option) }),
      let tag = found.tag
    else { throw Failure.notFound(option, among: options.map(\.label)) }
    picker.actions.choose?(tag)
    render()
  }

  /// Presses plus or minus of the stepper with this name.
  public func step(_ name: String, up: Bool) throws {
    try find(name) { up ? $0.actions.increment : $0.actions.decrement }()
    render()
  }

  /// Goes back one screen.
  public func back() throws {
    guard let back = all.last(where: { $0.actions.back != nil })?.actions.back else {
      throw Failure.notFound("back", among: [])
    }
    back()
    render()
  }

  /// Swipes the front sheet away.
  public func dismiss() throws {
    guard let dismiss = all.last(where: { $0.actions.dismiss != nil })?.actions.dismiss else {
      throw Failure.notFound("a sheet", among: [])
    }
    dismiss()
    render()
  }

  /// Types into the search field.
  public func search(_ text: String) throws {
    guard let search = all.last(where: { $0.actions.search != nil })?.actions.search else {
      throw Failure.notFound("search", among: [])
    }
    search(text)
    render()
  }

  /// Pulls to refresh, and waits until the refresh ends.
  public func refresh() async throws {
    guard let refresh = all.last(where: { $0.actions.refresh != nil })?.actions.refresh else {
      throw Failure.notFound("refresh", among: [])
    }
    await refresh()
    render()
  }

  /// Drags a finger from the first point over the others to the last; optionally the system cancels
  /// the touch there.
  public func drag(_ name: String, through points: [CGPoint], isCancelled: Bool = false) throws {
    let receivers = try findNode(name) { !$0.actions.gestures.isEmpty }.actions.gestures
    guard let first = points.first, let last = points.last else { return }
    for point in points.dropFirst() {
      for receiver in receivers { receiver.drag?(first, point, false) }
      render()
    }
    for receiver in receivers {
      if isCancelled { receiver.cancel?() } else { receiver.drag?(first, last, true) }
    }
    render()
  }

  /// Holds a finger until the press is recognized, moves it over more points, and lifts it unless
  /// it is to stay.
  public func press(
    _ name: String, at start: CGPoint, through points: [CGPoint] = [], isLifted: Bool = true
  ) throws {
    let receivers = try findNode(name) { !$0.actions.gestures.isEmpty }.actions.gestures
    var phases: [PressPhase] = [.down, .held] + points.map { .moved($0) }
    if isLifted { phases.append(.lifted(points.last ?? start)) }
    for receiver in receivers {
      for phase in phases { receiver.press?(start, phase) }
    }
    render()
  }

  /// Pinches the node with this name; each factor is relative to the start.
  public func magnify(_ name: String, by factors: [CGFloat], at point: CGPoint) throws {
    let receivers = try findNode(name) { !$0.actions.gestures.isEmpty }.actions.gestures
    for receiver in receivers {
      for factor in factors {
        receiver.magnify?(factor, point, false)
        render()
      }
      if let last = factors.last { receiver.magnify?(last, point, true) }
    }
    render()
  }

  /// Taps a point of the node with this name.
  public func tap(_ name: String, at point: CGPoint) throws {
    let receivers = try findNode(name) { !$0.actions.gestures.isEmpty }.actions.gestures
    for receiver in receivers { receiver.tap?(point) }
    render()
  }

  /// Moves the pointer over the node with this name; nil moves it away.
  public func hover(_ name: String, at point: CGPoint?) throws {
    try find(name) { $0.actions.hover }(point.map { .active($0) } ?? .ended)
    render()
  }

  // MARK: Finding

  private func find<Action>(_ name: String, _ action: (ViewNode) -> Action?) throws -> Action {
    guard let found = action(try findNode(name) { action($0) != nil }) else {
      throw Failure.notFound(name, among: [])
    }
    return found
  }

  /// The one usable node with this name: by its accessibility label or identifier, else by any of
  /// its texts.
  private func findNode(_ name: String, where isUsable: (ViewNode) -> Bool) throws -> ViewNode {
    var candidates: [(node: ViewNode, names: Set<String>)] = []
    func collect(_ node: ViewNode, _ above: Set<String>) {
      let own = [ViewNode.Attribute.accessibilityLabel, .accessibilityIdentifier]
        .compactMap { node.attributes[$0] }
      var names = above.union(own)
      if isUsable(node) {
        candidates.append((node, names.union([node.label])))
        names = []
      }
      if node.kind != .modified || node.children.count > 1 { names = [] }
      for child in node.children { collect(child, names) }
    }
    for node in nodes { collect(node, []) }
    var matches = candidates.filter { $0.names.contains(name) }
    if matches.isEmpty { matches = candidates.filter { $0.node.texts.contains(name) } }
    guard let match = matches.first else {
      throw Failure.notFound(name, among: candidates.map(\.node.label))
    }
    guard matches.count == 1 else { throw Failure.ambiguous(name, count: matches.count) }
    guard match.node.isEnabled else { throw Failure.disabled(name) }
    return match.node
  }
}
