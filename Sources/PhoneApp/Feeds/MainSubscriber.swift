// From the hub's thread to the main thread without a queue that could grow: the next value is asked
// for once the last one was taken, and until then the hub's publisher keeps only the newest.

import Combine
import Foundation

/// Takes one value at a time on the main thread.
///
/// Unchecked because Combine calls a subscriber one call at a time, and `subscription` is written
/// before the first value only; the handler runs on the main thread alone.
final class MainSubscriber<Input: Sendable>: Subscriber, Cancellable, @unchecked Sendable {
  typealias Failure = Never

  private let lock = NSLock()
  private var subscription: (any Combine.Subscription)?
  private var isCancelled = false
  private let handler: @MainActor (Input) -> Void

  init(_ handler: @escaping @MainActor (Input) -> Void) { self.handler = handler }

  func receive(subscription: any Combine.Subscription) {
    let isWanted = lock.withLock {
      if !isCancelled { self.subscription = subscription }
      return !isCancelled
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
        guard let subscription = lock.withLock({ subscription }) else { return }
        handler(input)
        subscription.request(.max(1))
      }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    lock.withLock { subscription = nil }
  }

  func cancel() {
    let subscription = lock.withLock {
      defer { self.subscription = nil }
      isCancelled = true
      return self.subscription
    }
    subscription?.cancel()
  }
}

extension Publisher where Failure == Never, Output: Sendable {
  /// The publisher's newest values on the main thread, until the result is let go.
  func onMain(_ handler: @escaping @MainActor (Output) -> Void) -> AnyCancellable {
    let subscriber = MainSubscriber(handler)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}
