// Waiting before the next attempt: longer each time, and never in step with others who lost the
// same venue at the same moment.

import MarketModel

/// Delays that double up to a cap, each drawn from the upper half of its span.
struct Backoff: Sendable, Equatable {
  /// The first span, in milliseconds.
  let firstMilliseconds: Int64
  /// The longest span, in milliseconds.
  let capMilliseconds: Int64

  private var failures = 0
  private var generator: SplitMix64

  /// Starts at the first span; equal seeds give equal delays.
  init(firstMilliseconds: Int64 = 1000, capMilliseconds: Int64 = 60_000, seed: UInt64) {
    self.firstMilliseconds = max(1, firstMilliseconds)
    self.capMilliseconds = max(self.firstMilliseconds, capMilliseconds)
    generator = SplitMix64(seed: seed)
  }

  /// The next delay, in milliseconds: at least half of its span, at most the whole.
  mutating func next() -> Int64 {
    var span = firstMilliseconds
    for _ in 0..<failures where span < capMilliseconds { span = min(capMilliseconds, span * 2) }
    if span < capMilliseconds { failures += 1 }
    let half = span / 2
    return half + generator.below(span - half + 1)
  }

  /// Back to the first span.
  mutating func reset() { failures = 0 }
}
