// How long to wait before the next attempt: longer each time, and never in step with the other
// processes that lost the same broker at the same moment.

import MarketModel

/// Pauses that double up to a cap, each drawn from the upper half of its span.
struct RedialPause: Sendable, Equatable {
  private let firstMilliseconds: Int64
  private let capMilliseconds: Int64
  private var span: Int64
  private var generator: SplitMix64

  /// Starts at the first span; equal seeds give equal pauses.
  init(firstMilliseconds: Int64 = 100, capMilliseconds: Int64 = 1000, seed: UInt64) {
    self.firstMilliseconds = max(1, firstMilliseconds)
    self.capMilliseconds = max(self.firstMilliseconds, capMilliseconds)
    span = self.firstMilliseconds
    generator = SplitMix64(seed: seed)
  }

  /// The next pause, in milliseconds.
  mutating func next() -> Int64 {
    let current = span
    span = min(capMilliseconds, span * 2)
    return current / 2 + generator.below(current - current / 2 + 1)
  }

  /// Back to the first span.
  mutating func reset() { span = firstMilliseconds }
}
