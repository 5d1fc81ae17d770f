import MarketModel
import OrderBook

/// One book, valid from a snapshot with the right checksum until a change with a wrong one.
///
/// It only reports that a snapshot is needed; the session requests it.
///
/// | state | snapshot, right sum | change, right sum | wrong sum or crossed | interruption |
/// |---|---|---|---|---|
/// | waiting | synced | dropped | doubtful | waiting |
/// | synced | synced again | applied | doubtful: resync | waiting |
/// | resyncing | synced | dropped | stays; requested again when overdue | waiting |
///
/// A recording can't request a snapshot: there a doubtful book continues to apply changes and is
/// marked ``BookTrust/isDoubtful`` until the next snapshot.
struct KrakenBookSync: BookSync {
  /// Requested levels per side: five times the displayed depth, so that an order can be filled
  /// through the book, at a fraction of the traffic of the deepest book.
  static let depth = 100
  static let depths = [10, 25, 100, 500, maximumDepth]
  static let maximumDepth = 1000

  var book = OrderBook()
  /// Longer than at other venues, because heartbeats prove each second that nothing was left out.
  var trust = BookTrust(
    CadenceTracker(expectedGapMilliseconds: 2000, minimumLateMilliseconds: 5000))
  /// Levels per side that the venue keeps: as requested, or as granted.
  private(set) var depth = KrakenBookSync.depth
  private var isDepthGranted = false

  init() {}

  var fixedDepth: Int? { depth }

  /// The maximum changes of one book in a message of a venue with this depth.
  ///
  /// A snapshot holds the depth on both sides. An update after a stall may remove every level of
  /// both sides and add as many, and Kraken may send a price more than once: twice that.
  static func maximumChanges(depth: Int) -> Int { 8 * depth }

  /// Applies one book of a message: all its changes, then the cut to the depth, then the checksum.
  mutating func apply(
    _ levels: [LevelRow], _ part: KrakenBookPart, _ action: KrakenAction,
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
    book.apply(levels[part.levels])
    book.trim(toDepth: depth)
    trust.countChange(at: now)
    trust.note(checksum: part.checksum, at: now)
    guard checksum.value(of: book) == part.checksum else { return trust.doubt(.checksum) }
    if book.isCrossed { return trust.doubt(.crossed) }
    if !trust.isDoubtful { trust.confirm(at: now) }
    return .applied
  }

  mutating func grant(depth granted: Int) {
    depth = granted
    isDepthGranted = true
  }

  /// Infers the depth from a snapshot's size, for recordings without the requested depth.
  mutating func inferDepth(from levels: Int) {
    if isDepthGranted { return }
    depth = KrakenBookSync.depths.first { $0 >= levels } ?? KrakenBookSync.maximumDepth
  }
}

/// Computes the checksums that Kraken sends with every book message; reuses its buffers, so it does
/// not allocate.
///
/// The algorithm is `BookChecksum`, which the clients also compute over the rows that they draw.
struct KrakenChecksum {
  private var checksum = BookChecksum()
  private var bids: [BookRow] = []
  private var asks: [BookRow] = []

  init() {
    bids.reserveCapacity(BookChecksum.depth)
    asks.reserveCapacity(BookChecksum.depth)
  }

  /// The checksum of the current book.
  ///
  /// Prices and sizes must be positive; the decoder ensures it.
  mutating func value(of book: OrderBook) -> UInt32 {
    book.copyRows(.bid, limit: BookChecksum.depth, into: &bids)
    book.copyRows(.ask, limit: BookChecksum.depth, into: &asks)
    return checksum.value(bids: bids, asks: asks)
  }
}
