// A Kraken book is valid from a snapshot with the right checksum until a change with a wrong one.

import MarketModel
import OrderBook

/// One book with the state of its synchronisation.
///
/// Pure: it says that a snapshot is needed, and the session asks for it.
///
/// | state | snapshot, right sum | change, right sum | wrong sum or crossed | interruption |
/// |---|---|---|---|---|
/// | waiting | synced | dropped | doubtful | waiting |
/// | synced | synced anew | applied | doubtful: resync | waiting |
/// | resyncing | synced | dropped | stays; asked again when overdue | waiting |
///
/// A recording cannot be asked for a snapshot: there a doubtful book goes on taking changes and is
/// marked ``BookTrust/isDoubtful`` until the next snapshot.
struct KrakenBookSync: BookSync {
  /// Levels a side that are asked for: five times what is shown, so that an order can be walked
  /// through the book, at a fraction of the traffic of the deepest one.
  static let depth = 100
  /// The depths that the venue offers, and the deepest.
  static let depths = [10, 25, 100, 500, maximumDepth]
  static let maximumDepth = 1000
  /// The rhythm to expect of a book before one is known.
  static let expectedGapMilliseconds: Int64 = 2000
  /// Heartbeats prove each second that nothing was left out, so a pause of a quiet pair is judged
  /// more patiently than elsewhere.
  static let minimumLateMilliseconds: Int64 = 5000

  var book = OrderBook()
  /// Whether the book may be believed.
  var trust = BookTrust(
    CadenceTracker(
      expectedGapMilliseconds: Self.expectedGapMilliseconds,
      minimumLateMilliseconds: Self.minimumLateMilliseconds))
  /// Levels a side that the venue keeps: what was asked for, or what it granted.
  private(set) var depth = KrakenBookSync.depth
  private var isDepthGranted = false

  init() {}

  var fixedDepth: Int? { depth }

  /// Changes of one book in a message that a venue of this depth can need.
  ///
  /// A snapshot holds the depth on both sides. An update after a stall may remove every level of
  /// both sides and add as many, and Kraken may name a price more than once: twice that.
  static func maximumChanges(depth: Int) -> Int { 8 * depth }

  /// Applies one book of a message: all its changes, then the cut to the depth, then the proof.
  mutating func apply(
    _ levels: [KrakenLevel], _ part: KrakenBookPart, _ action: KrakenAction,
    _ checksum: inout KrakenChecksum, at now: ClockReading
  ) -> BookTrust.Outcome {
    if action == .snapshot {
      book.removeAll()
      trust.beginImage()
    }
    guard trust.takesChanges else { return .dropped }
    guard part.levels.count <= Self.maximumChanges(depth: depth) else {
      return trust.doubt(.unreadable)
    }
    if part.levels.count > OrderBook.mergeThreshold {
      book.merge(levels[part.levels].lazy.map { $0.keyed })
    } else {
      for index in part.levels {
        let level = levels[index]
        book.set(
          level.isBid ? .bid : .ask, price: Price(units: level.price),
          size: Quantity(units: level.size))
      }
    }
    book.trim(toDepth: depth)
    trust.countChange(at: now)
    trust.note(checksum: part.checksum, at: now)
    guard checksum.value(of: book) == part.checksum else { return trust.doubt(.checksum) }
    if book.isCrossed { return trust.doubt(.crossed) }
    if !trust.isDoubtful { trust.confirm(at: now) }
    return .applied
  }

  /// The venue keeps this many levels a side.
  mutating func grant(depth granted: Int) {
    depth = granted
    isDepthGranted = true
  }

  /// A recording may not say which depth was asked for: then the snapshot's size tells.
  mutating func inferDepth(from levels: Int) {
    if isDepthGranted { return }
    depth = KrakenBookSync.depths.first { $0 >= levels } ?? KrakenBookSync.maximumDepth
  }

  /// What the book is worth: no better than the connection, whose heartbeats come each second.
  ///
  /// While the connection is alive a silent book is late at worst: the venue sends in order and
  /// says each second that there is nothing more.
  func freshness(at now: ClockReading, _ connection: Freshness) -> Freshness {
    let byRhythm = trust.rhythm(at: now)
    return trust.freshness(
      origin: connection.origin,
      synced: byRhythm == .stale && connection.state == .live ? .late : byRhythm
    ).noBetter(than: connection)
  }
}

extension KrakenLevel {
  fileprivate var keyed: KeyedLevel {
    KeyedLevel(
      side: isBid ? .bid : .ask, price: Price(units: price), size: Quantity(units: size))
  }
}
