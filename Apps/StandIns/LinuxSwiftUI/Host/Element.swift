// A place in the tree of views that lives as long as the view at this place does: it holds what
// SwiftUI holds for a view between two evaluations, so state survives and dies as it does there.

/// The memory of one place in the tree.
@MainActor final class Element {
  private var children: [AnyHashable: Element] = [:]
  /// The round in which the place was last evaluated.
  private(set) var round = 0
  /// What the view at this place is; another type at the same place is another view.
  private var viewType: ObjectIdentifier?
  /// Storage of the view's property wrappers, by their order.
  private var storage: [Int: AnyObject] = [:]
  /// What happens when the place comes into sight and leaves it.
  var lifecycle: Lifecycle?

  /// The place of a part; made at its first evaluation.
  func child(_ key: AnyHashable) -> Element {
    if let known = children[key] { return known }
    let new = Element()
    children[key] = new
    return new
  }

  /// Whether what the view here shows was ever asked for.
  var isShown = false

  /// Notes that the place is there in this round.
  func reach(round: Int) { self.round = round }

  /// Notes that the place is there in this round, with a view of this type.
  func visit(_ type: Any.Type, round: Int) {
    self.round = round
    let identifier = ObjectIdentifier(type)
    if viewType != identifier {
      if viewType != nil { end() }
      viewType = identifier
    }
  }

  /// The storage of a property wrapper; made at its first use.
  func stored<Object: AnyObject>(_ index: Int, make: () -> Object) -> Object {
    if let known = storage[index] as? Object { return known }
    let new = make()
    storage[index] = new
    return new
  }

  /// Lets go of all places that this round did not reach.
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

  /// The view is gone: with everything below it.
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
  /// The value that onChange or task(id:) saw last.
  var last: Any?
  var task: Task<Void, Never>?
  /// A subscription, kept alive by being held.
  var held: Any?

  /// The place leaves the sight; nothing when it was not in it.
  func leave() {
    task?.cancel()
    task = nil
    held = nil
    guard isInSight else { return }
    isInSight = false
    onLeave?()
  }
}
