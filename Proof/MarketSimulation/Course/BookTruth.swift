// What a venue's book was, moment by moment, so that whatever is shown of it can be judged.

import MarketModel
import VenueSimulator

/// The states of a book's best rows, by their hashes, with the times when they ended.
struct BookTruth {
  /// Rows of each side that are compared: what Kraken's checksum covers.
  static let depth = 10
  /// How long an ended state is remembered, in milliseconds; longer than anything may be believed.
  static let keptMilliseconds: Int64 = 120_000

  private(set) var current: UInt64?
  /// The present rows, bids first: most steps change none of them, and equal ones need no hash.
  private var rows: (bids: [TrueLevel], asks: [TrueLevel]) = ([], [])
  private var ends: [UInt64: Int64] = [:]
  private var order: [(hash: UInt64, end: Int64)] = []
  private var first = 0

  /// Takes the present rows.
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

  /// How long ago rows were the venue's, in milliseconds; nil when they never were.
  func age(of hash: UInt64, at milliseconds: Int64) -> Int64? {
    if hash == current { return 0 }
    return ends[hash].map { max(0, milliseconds - $0) }
  }

  /// One number for the ten best rows a side, whatever digits they are written with.
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
