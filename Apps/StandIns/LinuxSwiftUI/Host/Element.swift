/// The storage of one place in the view tree, which lives as long as the view there.
///
/// It holds what SwiftUI keeps for a view between two evaluations, so that state lives and dies as
/// it does there.
@MainActor final class Element {
  private var children: [AnyHashable: Element] = [:]
  private(set) var round = 0
  /// The view's type; another type at the same place is another view.
  private var viewType: ObjectIdentifier?
  /// Storage of the view's property wrappers, by their order.
  private var storage: [Int: AnyObject] = [:]
  /// The actions of appearing and disappearing.
  var lifecycle: Lifecycle?

  /// The place of a part; created at its first evaluation.
  func child(_ key: AnyHashable) -> Element {
    if let known = children[key] { return known }
    let new = Element()
    children[key] = new
    return new
  }

  /// Whether the nodes of the view here were ever requested.
  var isShown = false

  func reach(round: Int) { self.round = round }

  /// Marks the place as present in this round, with a view of this type.
  func visit(_ type: Any.Type, round: Int) {
    self.round = round
    let identifier = ObjectIdentifier(type)
    if viewType != identifier {
      if viewType != nil { end() }
      viewType = identifier
    }
  }

  /// The storage of a property wrapper; created at its first use.
  func stored<Object: AnyObject>(_ index: Int, make: () -> Object) -> Object {
    if let known = storage[index] as? Object { return known }
    let new = make()
    storage[index] = new
    return new
  }

  /// Ends all places that this round did not reach.
  func sweep(round: Int) {
    for (key, child) in children {
      if child.round != round {
        child.end()
        children[key] = nil
      } else {
        child.sweep(round: round)
      }
    }
  }

  /// Ends the view with everything below it.
  func end() {
    for child in children.values { child.end() }
    children = [:]
    storage = [:]
    isShown = false
    lifecycle?.leave()
    lifecycle = nil
  }
}

/// What onAppear, onDisappear, task and onChange keep for one place.
@MainActor final class Lifecycle {
  var isInSight = false
  var onLeave: (@MainActor () -> Void)?
  /// The latest value for onChange or task(id:).
  var last: Any?
  var task: Task<Void, Never>?
  /// Keeps a subscription alive.
  var held: Any?

  /// Disappears; no effect when it had not appeared.
  func leave() {
    task?.cancel()
    task = nil
    held = nil
    guard isInSight else { return }
    isInSight = false
    onLeave?()
  }
}
