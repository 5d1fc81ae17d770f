import NIOConcurrencyHelpers

/// An observation; it ends when it is cancelled or released.
public final class FeedObservation: Sendable {
  private let state: ObservationState

  init(_ state: ObservationState) { self.state = state }

  deinit { state.cancel() }

  /// Ends the observation: no call of its handler begins after this returns; idempotent.
  public func cancel() { state.cancel() }
}

final class ObservationState: Sendable {
  private let onCancel: @Sendable () -> Void
  private let active = NIOLockedValueBox(true)

  init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

  var isActive: Bool { active.withLockedValue { $0 } }

  func cancel() {
    let was = active.withLockedValue { value in
      defer { value = false }
      return value
    }
    if was { onCancel() }
  }
}

final class IdentifierSource: Sendable {
  private let last = NIOLockedValueBox<UInt64>(0)

  func next() -> UInt64 {
    last.withLockedValue { value in
      value &+= 1
      return value
    }
  }
}

/// Actions to run once when the hub shuts down: ends of sequences and publishers.
final class EndList: Sendable {
  private struct State {
    var actions: [UInt64: @Sendable () -> Void] = [:]
    var next: UInt64 = 0
    var isOver = false
  }

  private let state = NIOLockedValueBox(State())

  /// Adds an action, which runs at once after shutdown; returns its ID for ``remove(_:)``.
  func add(_ action: @escaping @Sendable () -> Void) -> UInt64 {
    let (id, isOver) = state.withLockedValue { state in
      state.next += 1
      if !state.isOver { state.actions[state.next] = action }
      return (state.next, state.isOver)
    }
    if isOver { action() }
    return id
  }

  func remove(_ id: UInt64) { state.withLockedValue { $0.actions[id] = nil } }

  var isOver: Bool { state.withLockedValue { $0.isOver } }

  func runAll() {
    let actions = state.withLockedValue { state in
      defer { state.actions = [:] }
      state.isOver = true
      return state.actions.values
    }
    for action in actions { action() }
  }
}
