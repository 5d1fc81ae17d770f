import MarketModel
import OrderBook
import WireJSON

/// A changed level of a venue that identifies levels by price; size 0 removes it.
struct LevelRow: Equatable {
  var isBid: Bool
  /// In units of the instrument's price scale; positive.
  var price: Int64
  /// In units of its quantity scale; 0 or more.
  var size: Int64
}

extension OrderBook {
  /// Sets these levels, in any order.
  mutating func apply(_ levels: ArraySlice<LevelRow>) {
    if levels.count > OrderBook.mergeThreshold {
      merge(
        levels.lazy.map {
          KeyedLevel(
            side: $0.isBid ? .bid : .ask, price: Price(units: $0.price),
            size: Quantity(units: $0.size))
        })
      return
    }
    for level in levels {
      set(
        level.isBid ? .bid : .ask, price: Price(units: level.price),
        size: Quantity(units: level.size))
    }
  }

  /// The best bid and ask.
  var bestLevels: BestLevels {
    let (bid, ask) = (best(.bid), best(.ask))
    return BestLevels(
      bidPrice: bid?.price.units, bidSize: bid?.size.units, askPrice: ask?.price.units,
      askSize: ask?.size.units)
  }
}

extension JSONWriter {
  /// `"bids":[["78715.0","1.27"],…]`, with all digits of the scales, so that a follower has the
  /// same scales.
  mutating func member(_ key: StaticString, levels: [KeyedLevel], _ scales: BookScales) {
    self.key(key)
    array(levels) { writer, level in
      writer.beginArray()
      writer.decimalString(FixedDecimal(level.price, scale: scales.price))
      writer.decimalString(FixedDecimal(level.size, scale: scales.quantity))
      writer.endArray()
    }
  }
}

extension [LevelRow] {
  /// The same rows in units that are smaller by these factors; nil on overflow.
  func rescaled(price: Int64, size: Int64) -> [LevelRow]? {
    var rows: [LevelRow] = []
    rows.reserveCapacity(count)
    for row in self {
      let (units, priceOverflows) = row.price.multipliedReportingOverflow(by: price)
      let (amount, sizeOverflows) = row.size.multipliedReportingOverflow(by: size)
      if priceOverflows || sizeOverflows { return nil }
      rows.append(LevelRow(isBid: row.isBid, price: units, size: amount))
    }
    return rows
  }
}

/// A book that is compared with a second stream's best levels where both have the same number.
protocol TopComparingSync: BookSync {
  /// The number of the present state; nil without one.
  var sequence: Int64? { get }
  /// Messages since the snapshot, which counts as the first; 0 while they have no numbers.
  var messages: Int64 { get }
  var tops: NumberedTops { get set }

  /// Converts what the book does not contain to units that are smaller by these factors.
  mutating func rescaleHeld(price: Int64, size: Int64)
}

extension TopComparingSync {
  mutating func rescaleHeld(price: Int64, size: Int64) {}

  /// Compares the second stream's best levels, now or once the book has their number.
  mutating func compare(_ top: BestLevels, sequence number: Int64) -> BookTrust.Outcome {
    tops.insert(top, number: number)
    guard number == sequence, trust.status == .synced, top != book.bestLevels else {
      return .dropped
    }
    return trust.doubt(.audit)
  }

  /// Checks a changed book.
  mutating func check(maximumLevels: Int, at now: ClockReading) -> BookTrust.Outcome {
    if book.isCrossed { return trust.doubt(.crossed) }
    if max(book.levelCount(.bid), book.levelCount(.ask)) > maximumLevels {
      return trust.doubt(.unknownLevel)
    }
    if let sequence, let top = tops.top(at: sequence), top != book.bestLevels {
      return trust.doubt(.audit)
    }
    trust.confirm(at: now)
    return .applied
  }

  /// No better than the connection.
  func freshness(at now: ClockReading, _ connection: Freshness) -> Freshness {
    trust.freshness(at: now, confirmedBy: connection)
  }
}

extension BookVenue where Sync: TopComparingSync {
  static func unbroken(_ number: Int, in market: BookMarket<Self>) -> UnbrokenSequence? {
    let sync = market.books.states[number]
    guard sync.messages > 0, let at = sync.trust.confirmedAt else { return nil }
    return UnbrokenSequence(messages: sync.messages, at: at)
  }
}

/// The latest best levels of a second stream that shares its numbers with the book's.
///
/// Either stream may be ahead, so the other's latest numbers are kept for comparison.
struct NumberedTops {
  /// Enough for the time between two messages of the slower stream.
  static let capacity = 32

  private var tops: [(number: Int64, top: BestLevels)] = []
  private var next = 0

  mutating func insert(_ top: BestLevels, number: Int64) {
    if tops.count < Self.capacity {
      tops.append((number, top))
    } else {
      tops[next] = (number, top)
    }
    next = (next + 1) % Self.capacity
  }

  /// The best levels with a number; nil without any.
  func top(at number: Int64) -> BestLevels? { tops.last { $0.number == number }?.top }

  mutating func removeAll() {
    tops.removeAll(keepingCapacity: true)
    next = 0
  }
}

/// Updates that a book's coming snapshot may lack: a row without a hole, oldest first.
struct HeldUpdates<Part: Sendable>: Sendable {
  /// Updates that are held at most, two minutes at ten a second; then holding starts again.
  static var maximumCount: Int { 1200 }
  static var maximumLevels: Int { 100_000 }

  private(set) var all: [(part: Part, levels: [LevelRow])] = []
  private var levels = 0

  var first: Part? { all.first?.part }
  var last: Part? { all.last?.part }

  /// Adds an update that follows the last one.
  mutating func add(_ rows: [LevelRow], _ part: Part) {
    if all.count == Self.maximumCount || levels + rows.count > Self.maximumLevels { removeAll() }
    all.append((part, rows))
    levels += rows.count
  }

  mutating func removeAll() {
    if !all.isEmpty { all.removeAll() }
    levels = 0
  }

  /// Converts to units that are smaller by these factors; drops all on overflow.
  mutating func rescale(price: Int64, size: Int64) {
    for update in all.indices {
      guard let rows = all[update].levels.rescaled(price: price, size: size) else {
        return removeAll()
      }
      all[update].levels = rows
    }
  }
}
