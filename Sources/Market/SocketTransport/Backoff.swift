/// Delays that double up to a cap, drawn from the upper half of each span, so clients spread out.
package struct Backoff<Chance: RandomNumberGenerator & Sendable & Equatable>: Sendable, Equatable {
  /// The first span, in milliseconds.
  package let firstMilliseconds: Int64
  /// The longest span, in milliseconds.
  package let capMilliseconds: Int64

  private var failures = 0
  private var chance: Chance

  /// Starts at the first span; equal `chance` gives equal delays.
  package init(firstMilliseconds: Int64 = 1000, capMilliseconds: Int64 = 60_000, chance: Chance) {
    self.firstMilliseconds = max(1, firstMilliseconds)
    self.capMilliseconds = max(self.firstMilliseconds, capMilliseconds)
    self.chance = chance
  }

  /// The next delay, in milliseconds: from half of its span to all of it.
  package mutating func next() -> Int64 {
    var span = firstMilliseconds
    for _ in 0..<failures where span < capMilliseconds { span = min(capMilliseconds, span * 2) }
    if span < capMilliseconds { failures += 1 }
    let half = span / 2
    return half + Int64.random(in: 0...(span - half), using: &chance)
  }

  /// Resets to the first span.
  package mutating func reset() { failures = 0 }
}
