public import MarketModel

/// The order book of one instrument, in integers.
///
/// For venues with level IDs use ``replace(with:)``, ``insert(_:)``,
/// ``update(id:price:size:side:)``, ``delete(id:)`` and their merges: an ID alone identifies a
/// level, and levels that share a price are summed in one row. For venues with levels by price use
/// ``set(_:price:size:)``, ``merge(_:)`` and ``trim(toDepth:)``. Never mix them.
public struct OrderBook: Sendable, Equatable {
  var sides = (bids: LevelLadder(), asks: LevelLadder())
  var identifiers = LevelIdentifierTable()

  /// Creates an empty book.
  public init() {}

  /// Compares the levels, regardless of history; O(n).
  public static func == (left: OrderBook, right: OrderBook) -> Bool { left.sides == right.sides }

  /// Empties the book but keeps its capacity.
  public mutating func removeAll() {
    sides.bids.removeAll()
    sides.asks.removeAll()
    identifiers.removeAll()
  }

  // MARK: Levels with IDs

  /// Replaces everything with a snapshot of levels with IDs, in any order; the last of an ID
  /// counts.
  ///
  /// O(n) for rows sorted either way by price and ID, else O(n log n).
  /// - Returns: the number of repeated rows; 0 for a valid snapshot.
  @discardableResult
  public mutating func replace(with levels: [KeyedLevel]) -> Int {
    removeAll()
    identifiers.reserve(levels.count)
    var repeated: [KeyedLevel] = []
    for level in levels {
      if identifiers.place(of: level.id) != nil {
        repeated.append(level)
        continue
      }
      let key = ladderKey(level.side, level.price)
      identifiers.set(level.id, to: .init(side: level.side, key: key))
      change(level.side) {
        $0.appendUnsorted(LadderLevel(key: key, id: level.id, size: level.size.units))
      }
    }
    sides.bids.sort()
    sides.asks.sort()
    if !repeated.isEmpty { mergeInserts(repeated) }
    return repeated.count
  }

  /// Adds a level; replaces one with the same ID on either side.
  /// - Returns: whether the ID was new.
  @discardableResult
  public mutating func insert(_ level: KeyedLevel) -> Bool {
    let key = ladderKey(level.side, level.price)
    let old = identifiers.set(level.id, to: .init(side: level.side, key: key))
    if let old, old.side != level.side || old.key != key {
      change(old.side) { _ = $0.remove(old.key, level.id) }
    }
    change(level.side) {
      $0.set(LadderLevel(key: key, id: level.id, size: level.size.units))
    }
    return old == nil
  }

  /// Changes the size or the price of a level, or both; nil leaves a field unchanged.
  ///
  /// `side` is a lookup hint. False, with the book unchanged, when the ID is unknown.
  public mutating func update(
    id: Int64, price: Price?, size: Quantity?, side: BookSide? = nil
  ) -> Bool {
    // A level found at the row's price does not move.
    if let side, let price, let size {
      let key = ladderKey(side, price)
      if change(side, { $0.resize(key, id, to: size.units) }) { return true }
    }
    guard let place = identifiers.place(of: id) else { return false }
    if let price {
      let key = ladderKey(place.side, price)
      if key != place.key { return move(id, from: place, to: key, size: size) }
    }
    guard let size else { return true }
    return change(place.side) { $0.resize(place.key, id, to: size.units) }
  }

  /// Removes a level; false when the ID is unknown.
  public mutating func delete(id: Int64) -> Bool {
    guard let place = identifiers.remove(id) else { return false }
    return change(place.side) { $0.remove(place.key, id) } != nil
  }

  // MARK: Levels by price

  /// Sets the size at a price; a size of 0 or less removes the level.
  public mutating func set(_ side: BookSide, price: Price, size: Quantity) {
    let key = ladderKey(side, price)
    change(side) {
      if size.units > 0 {
        $0.set(LadderLevel(key: key, id: 0, size: size.units))
      } else {
        _ = $0.remove(key, 0)
      }
    }
  }

  /// Drops all but the best `depth` levels a side, for venues that don't report those; without IDs.
  public mutating func trim(toDepth depth: Int) {
    sides.bids.keepBest(max(0, depth))
    sides.asks.keepBest(max(0, depth))
  }

  private mutating func move(
    _ id: Int64, from place: LevelIdentifierTable.Place, to key: Int64, size: Quantity?
  ) -> Bool {
    var known = false
    change(place.side) {
      guard let old = $0.remove(place.key, id) else { return }
      $0.set(LadderLevel(key: key, id: id, size: size?.units ?? old))
      known = true
    }
    if known { identifiers.set(id, to: .init(side: place.side, key: key)) }
    return known
  }

  /// Changes a side in place, without a branch on the side, which would be unpredictable.
  @inline(__always)
  private mutating func change<Result>(
    _ side: BookSide, _ body: (inout LevelLadder) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &sides) { sides in
      // Not a buffer: the pair is less than two strides long, so its count would be one.
      let ladders = UnsafeMutableRawPointer(sides).assumingMemoryBound(to: LevelLadder.self)
      return body(&ladders[Int(side.rawValue)])
    }
  }
}

/// The ladder's key of a price; the complement for asks reverses all 2^64 values without overflow.
@inline(__always)
func ladderKey(_ side: BookSide, _ price: Price) -> Int64 {
  side == .bid ? price.units : ~price.units
}

@inline(__always)
func price(_ side: BookSide, key: Int64) -> Price { Price(units: side == .bid ? key : ~key) }
