import NIOConcurrencyHelpers

final class Counter: Sendable {
  private let value = NIOLockedValueBox(0)

  var count: Int { value.withLockedValue { $0 } }

  func add() { value.withLockedValue { $0 += 1 } }
}
