import MarketModel
import OrderBook

/// One book, valid from a snapshot until the chain of its numbers breaks.
///
/// The snapshot comes in the stream, or over HTTP where the venue sends none: until then updates
/// are held, and those that it lacks are applied to it. Every update names the number of the state
/// before it. Steps are arbitrary, an update without
/// changes repeats its number, and the numbers may fall after maintenance; only a foreign
/// predecessor means a loss. The second stream's best levels are compared where both have the same
/// number.
///
/// | state | snapshot | update that follows | other update | interruption |
/// |---|---|---|---|---|
/// | waiting | synced | held | held | waiting |
/// | synced | synced again | applied | doubtful: resync | waiting |
/// | resyncing | synced | held | held | waiting |
///
/// Unlike other venues' books, a doubtful one of a recording applies no further changes: the venue
/// continues the chain only from a snapshot.
struct OKXBookSync: TopComparingSync {
  /// The outcome of a snapshot over HTTP.
  enum Splice: Equatable {
    /// The book is complete, or was already.
    case joined(BookTrust.Outcome)
    /// It ends before the first held update: another one is needed.
    case tooOld
  }

  /// Levels a side that the venue keeps; those that leave are deleted by name.
  static let depth = 400
  /// Levels a side beyond which the book can't be the venue's.
  static let maximumLevels = 2 * depth

  var book = OrderBook()
  /// The venue sends at most ten messages a second, and one a minute without changes.
  var trust = BookTrust(
    CadenceTracker(expectedGapMilliseconds: 500, minimumLateMilliseconds: 5000))
  /// The number of the present state; nil where the venue sends none.
  private(set) var sequence: Int64?
  private(set) var messages: Int64 = 0
  /// A chain of updates, oldest first, that a coming snapshot may lack.
  private var held = HeldUpdates<OKXBookPart>()
  /// Whether the next update may also contain changes of the snapshot.
  private var mayStraddle = false
  var tops = NumberedTops()

  init() {}

  var fixedDepth: Int? { Self.depth }

  /// Whether the venue sends updates of a book without a snapshot.
  var holdsUpdates: Bool { held.first != nil }

  /// Applies one book of a message: all its changes, then the checks.
  mutating func apply(
    _ levels: [LevelRow], _ part: OKXBookPart, _ action: OKXAction, _ scales: BookScales,
    _ checksum: inout OKXChecksum, at now: ClockReading
  ) -> BookTrust.Outcome {
    if action == .snapshot {
      held.removeAll()
      mayStraddle = false
      book.removeAll()
      trust.beginImage()
      tops.removeAll()
    } else {
      guard trust.takesChanges, !trust.isDoubtful else {
        hold(levels, part)
        return .dropped
      }
      if let previous = part.previous {
        if mayStraddle, let known = sequence, let last = part.sequence, previous < known {
          // The snapshot has all of it, or a part.
          if last <= known { return .dropped }
        } else if previous != sequence {
          return trust.doubt(.gap)
        }
        mayStraddle = false
      } else if part.checksum == nil || sequence != nil {
        // Without a predecessor only a checksum shows whether something is missing.
        return trust.doubt(.gap)
      }
    }
    // Numbers that fell may repeat.
    if let former = sequence, let new = part.sequence, new < former { tops.removeAll() }
    sequence = part.sequence
    messages = sequence == nil ? 0 : action == .snapshot ? 1 : messages &+ 1
    if action == .update, levels.isEmpty {
      trust.confirmUnchanged(at: now)
      return .applied
    }
    book.apply(levels[...])
    trust.countChange(at: now)
    if let sum = part.checksum, checksum.value(of: book, scales) != sum {
      return trust.doubt(.checksum)
    }
    return check(maximumLevels: Self.maximumLevels, at: now)
  }

  /// Joins a snapshot over HTTP and the held updates that it lacks.
  mutating func splice(
    _ levels: [LevelRow], _ part: OKXBookPart, _ scales: BookScales,
    _ checksum: inout OKXChecksum, at now: ClockReading
  ) -> Splice {
    guard let last = part.sequence, !trust.takesChanges || trust.isDoubtful else {
      return .joined(.dropped)
    }
    if let first = held.first?.previous, last < first { return .tooOld }
    // The numbers of held updates rise, but for a restart of the venue's numbers, which a snapshot
    // follows.
    let later = held.all.filter { ($0.part.sequence ?? 0) > last }
    var outcome = apply(levels, part, .snapshot, scales, &checksum, at: now)
    mayStraddle = true
    for other in later where outcome != .needsSnapshot {
      let next = apply(other.levels, other.part, .update, scales, &checksum, at: now)
      outcome = next == .dropped ? outcome : next
    }
    return .joined(outcome)
  }

  private mutating func hold(_ levels: [LevelRow], _ part: OKXBookPart) {
    guard let previous = part.previous, part.sequence != nil else { return held.removeAll() }
    // What was held before a hole can't be joined to what follows.
    if let newest = held.last?.sequence, newest != previous { held.removeAll() }
    held.add(levels, part)
  }

  mutating func forget() {
    trust.forget()
    book = OrderBook()
    held.removeAll()
    mayStraddle = false
  }

  /// Converts what the book does not contain to units that are smaller by these factors.
  mutating func rescaleHeld(price: Int64, size: Int64) { held.rescale(price: price, size: size) }
}

/// OKX's book checksum of before June 2026: a CRC-32 over `price:size` of 25 bids and asks in turn.
///
/// Only recordings and hosts that still send it are checked; the shorter side is skipped.
struct OKXChecksum {
  static let depth = 25

  private let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { entry, _ in
      entry & 1 == 1 ? 0xedb8_8320 ^ entry >> 1 : entry >> 1
    }
  }
  private var bids: [BookRow] = []
  private var asks: [BookRow] = []
  private var text: [UInt8] = []

  /// The checksum of a book whose numbers have these scales, as the signed number of the wire.
  mutating func value(of book: OrderBook, _ scales: BookScales) -> Int32 {
    book.copyRows(.bid, limit: Self.depth, into: &bids)
    book.copyRows(.ask, limit: Self.depth, into: &asks)
    text.removeAll(keepingCapacity: true)
    for row in 0..<max(bids.count, asks.count) {
      if row < bids.count { append(bids[row], scales) }
      if row < asks.count { append(asks[row], scales) }
    }
    var crc: UInt32 = .max
    for byte in text.dropLast() { crc = table[Int((crc ^ UInt32(byte)) & 0xff)] ^ crc >> 8 }
    return Int32(bitPattern: ~crc)
  }

  private mutating func append(_ row: BookRow, _ scales: BookScales) {
    FixedDecimal(row.price, scale: scales.price).trimmed.appendText(to: &text)
    text.append(UInt8(ascii: ":"))
    FixedDecimal(row.size, scale: scales.quantity).trimmed.appendText(to: &text)
    text.append(UInt8(ascii: ":"))
  }
}
