import MarketModel
import VenueSimulator

/// A venue's true best rows over time, by their hashes, with the times when each state ended.
struct BookTruth {
  /// Compared rows of each side: those of Kraken's checksum.
  static let depth = 10
  /// How long an ended state is kept, in milliseconds; longer than any state may count as live.
  static let keptMilliseconds: Int64 = 120_000

  private(set) var current: UInt64?
  /// The present rows, bids first: most steps change none of them, and equal ones need no hash.
  private var rows: (bids: [TrueLevel], asks: [TrueLevel]) = ([], [])
  private var ends: [UInt64: Int64] = [:]
  private var changedAt: Int64?
  /// The longest time without a change so far, in milliseconds.
  private(set) var longestPause: Int64 = 0
  private var order: [(hash: UInt64, end: Int64)] = []
  private var first = 0

  mutating func take(
    _ levels: (bids: [TrueLevel], asks: [TrueLevel])?, at milliseconds: Int64
  ) {
    if let levels, current != nil, levels == rows { return }
    rows = levels ?? ([], [])
    let hash = levels.map { levels in
      BookTruth.hash(
        bids: levels.bids.map { ($0.price, $0.size) }, asks: levels.asks.map { ($0.price, $0.size) }
      )
    }
    guard hash != current else { return }
    if let changedAt { longestPause = max(longestPause, milliseconds - changedAt) }
    changedAt = milliseconds
    if let current {
      ends[current] = milliseconds
      order.append((current, milliseconds))
    }
    current = hash
    forget(before: milliseconds - BookTruth.keptMilliseconds)
  }

  private mutating func forget(before milliseconds: Int64) {
    while first < order.count, order[first].end < milliseconds {
      if ends[order[first].hash] == order[first].end { ends[order[first].hash] = nil }
      first += 1
    }
    if first > 4096 {
      order.removeFirst(first)
      first = 0
    }
  }

  /// How long ago the venue had these rows, in milliseconds; nil when never.
  func age(of hash: UInt64, at milliseconds: Int64) -> Int64? {
    if hash == current { return 0 }
    return ends[hash].map { max(0, milliseconds - $0) }
  }

  /// The hash of the ten best rows a side, independent of written digits.
  static func hash(
    bids: [(FixedDecimal, FixedDecimal)], asks: [(FixedDecimal, FixedDecimal)]
  ) -> UInt64 {
    var hasher = FNV1a()
    for side in [bids, asks] {
      for (price, size) in side.prefix(depth) {
        for number in [price.trimmed, size.trimmed] {
          hasher.combine(number.units)
          hasher.combine(byte: UInt8(truncatingIfNeeded: number.scale.digits))
        }
      }
      hasher.combine(byte: 0xff)
    }
    return hasher.value
  }
}
