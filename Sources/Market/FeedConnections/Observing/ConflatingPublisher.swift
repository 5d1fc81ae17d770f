import Combine
import NIOConcurrencyHelpers

/// Publishes values conflated by key, so that no queue grows for a subscriber with less demand.
struct ConflatingPublisher<Key: Hashable & Sendable, Output: Sendable>: Publisher {
  typealias Failure = Never

  /// Starts observing with sinks for values and for the end; returns what ends the observation.
  let observe:
    @Sendable (
      _ value: @escaping @Sendable (Key, Output) -> Void, _ end: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    let inner = ConflatingSubscription<Key, Output>(
      receive: { subscriber.receive($0) },
      complete: { subscriber.receive(completion: .finished) })
    subscriber.receive(subscription: inner)
    inner.begin(observe)
  }
}

private final class ConflatingSubscription<Key: Hashable & Sendable, Output: Sendable>:
  // @unchecked: only the holder of the `isDelivering` turn calls the subscriber's closures.
  Combine.Subscription, @unchecked Sendable
{
  private struct State {
    var isWanted = true
    var demand = Subscribers.Demand.none
    var order: [Key] = []
    var waiting: [Key: Output] = [:]
    var isDelivering = false
    var hasEnded = false
    var stop: (@Sendable () -> Void)?
  }

  private enum Step {
    case value(Output)
    case completion((@Sendable () -> Void)?)
    case nothing
  }

  private let receive: (Output) -> Subscribers.Demand
  private let complete: () -> Void
  private let state = NIOLockedValueBox(State())

  init(receive: @escaping (Output) -> Subscribers.Demand, complete: @escaping () -> Void) {
    self.receive = receive
    self.complete = complete
  }

  func begin(
    _ observe: (
      @escaping @Sendable (Key, Output) -> Void, @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void
  ) {
    guard state.withLockedValue({ $0.isWanted }) else { return }
    let stop = observe({ self.offer($0, $1) }, { self.end() })
    let isWanted = state.withLockedValue { state in
      if state.isWanted { state.stop = stop }
      return state.isWanted
    }
    if !isWanted { stop() }
  }

  func request(_ demand: Subscribers.Demand) {
    state.withLockedValue { $0.demand += demand }
    deliver()
  }

  func cancel() {
    let stop = state.withLockedValue { state in
      defer { state.stop = nil }
      state.isWanted = false
      state.waiting = [:]
      state.order = []
      return state.stop
    }
    stop?()
  }

  private func offer(_ key: Key, _ value: Output) {
    state.withLockedValue { state in
      guard state.isWanted, !state.hasEnded else { return }
      if state.waiting.updateValue(value, forKey: key) == nil { state.order.append(key) }
    }
    deliver()
  }

  private func end() {
    state.withLockedValue { $0.hasEnded = true }
    deliver()
  }

  /// Delivers outside the lock: a subscriber may request more or cancel while it receives.
  private func deliver() {
    let isMine = state.withLockedValue { state in
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    guard isMine else { return }
    while true {
      switch state.withLockedValue({ next(&$0) }) {
      case .value(let value):
        let more = receive(value)
        state.withLockedValue { $0.demand += more }
      case .completion(let stop):
        complete()
        stop?()
      case .nothing: return
      }
    }
  }

  /// The next delivery; releases the turn if nothing is left to deliver.
  private func next(_ state: inout State) -> Step {
    if state.isWanted {
      if let key = state.order.first, state.demand > .none,
        let value = state.waiting.removeValue(forKey: key)
      {
        state.order.removeFirst()
        state.demand -= 1
        return .value(value)
      }
      if state.order.isEmpty, state.hasEnded {
        defer { state.stop = nil }
        state.isWanted = false
        return .completion(state.stop)
      }
    }
    state.isDelivering = false
    return .nothing
  }
}
