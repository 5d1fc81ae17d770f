import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import TestSupport

struct WaitedInVain: Error, CustomStringConvertible {
  let what: String
  var description: String { "waited in vain for \(what)" }
}

/// How long a test waits for an expected event before it fails instead of hanging.
let patience = TimeAmount.seconds(Int64(patienceSeconds))

/// Runs other tasks until a condition holds.
func soon(_ what: String, _ condition: () async throws -> Bool) async throws {
  let end = NIODeadline.now() + patience
  while try await !condition() {
    guard NIODeadline.now() < end else { throw WaitedInVain(what: what) }
    await Task.yield()
  }
}

/// Collects events of any thread and lets a test wait until they satisfy a condition.
final class Journal<Entry: Sendable>: Sendable {
  private struct State {
    var entries: [Entry] = []
    var waiter: (condition: @Sendable ([Entry]) -> Bool, promise: EventLoopPromise<[Entry]>)?
  }

  private let state = NIOLockedValueBox(State())

  var entries: [Entry] { state.withLockedValue { $0.entries } }

  func append(_ entry: Entry) {
    let done = state.withLockedValue { state -> (EventLoopPromise<[Entry]>, [Entry])? in
      state.entries.append(entry)
      guard let waiter = state.waiter, waiter.condition(state.entries) else { return nil }
      state.waiter = nil
      return (waiter.promise, state.entries)
    }
    if let (promise, entries) = done { promise.succeed(entries) }
  }

  /// All entries as soon as they satisfy the condition.
  @discardableResult
  func wait(
    _ what: String, _ condition: @escaping @Sendable ([Entry]) -> Bool
  ) async throws -> [Entry] {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let promise = loop.makePromise(of: [Entry].self)
    let ready = state.withLockedValue { state -> [Entry]? in
      if condition(state.entries) { return state.entries }
      state.waiter = (condition, promise)
      return nil
    }
    if let ready { promise.succeed(ready) }
    let timeout = loop.scheduleTask(in: patience) { promise.fail(WaitedInVain(what: what)) }
    defer { timeout.cancel() }
    return try await promise.futureResult.get()
  }
}

extension EventLoopFuture where Value: Sendable {
  /// The value, or an error when it does not arrive.
  func soon(_ what: String) async throws -> Value {
    let promise = eventLoop.makePromise(of: Value.self)
    cascade(to: promise)
    let timeout = eventLoop.scheduleTask(in: patience) { promise.fail(WaitedInVain(what: what)) }
    defer { timeout.cancel() }
    return try await promise.futureResult.get()
  }
}
