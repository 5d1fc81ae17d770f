public import Combine
import Dispatch
import NIOConcurrencyHelpers

/// Requests the next value only after handling the last on the main thread, so no queue grows.
///
/// Unchecked because all mutable state is behind the lock, Combine calls a subscriber serially, and
/// the handler runs only on the main thread.
private final class MainSubscriber<Input: Sendable>: Subscriber, Cancellable, @unchecked Sendable {
  typealias Failure = Never

  private struct State {
    var subscription: (any Combine.Subscription)?
    var isCancelled = false
  }

  private let state = NIOLockedValueBox(State())
  private let handler: @MainActor (Input) -> Void

  init(_ handler: @escaping @MainActor (Input) -> Void) { self.handler = handler }

  func receive(subscription: any Combine.Subscription) {
    let isWanted = state.withLockedValue { state in
      if !state.isCancelled { state.subscription = subscription }
      return !state.isCancelled
    }
    guard isWanted else {
      subscription.cancel()
      return
    }
    subscription.request(.max(1))
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    DispatchQueue.main.async { [self] in
      MainActor.assumeIsolated {
        let (subscription, isCancelled) = state.withLockedValue {
          ($0.subscription, $0.isCancelled)
        }
        guard !isCancelled else { return }
        handler(input)
        // Nil after completion.
        subscription?.request(.max(1))
      }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    state.withLockedValue { $0.subscription = nil }
  }

  func cancel() {
    let subscription = state.withLockedValue { state in
      defer { state.subscription = nil }
      state.isCancelled = true
      return state.subscription
    }
    subscription?.cancel()
  }
}

extension Publisher where Failure == Never, Output: Sendable {
  /// Delivers the newest values one at a time on the main thread, until the result is released.
  public func newestOnMain(_ handler: @escaping @MainActor (Output) -> Void) -> AnyCancellable {
    let subscriber = MainSubscriber(handler)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}
