// Singly, each of m new levels moves the n behind it; merged, they cost O(n + m log m).

public import MarketModel

/// A change of a level by ID; nil leaves a field unchanged.
public struct LevelUpdate: Hashable, Sendable {
  /// The venue's level ID.
  public var id: Int64
  /// The new price.
  public var price: Price?
  /// The new size; positive.
  public var size: Quantity?

  /// Creates an update.
  public init(id: Int64, price: Price?, size: Quantity?) {
    (self.id, self.price, self.size) = (id, price, size)
  }
}

extension OrderBook {
  /// Messages with more rows are faster to merge than to apply row by row.
  public static let mergeThreshold = 64

  /// Applies changes by price in order; a size of 0 or less removes the level.
  public mutating func merge(_ levels: some Sequence<KeyedLevel>) {
    var changes = LevelChanges()
    for level in levels {
      changes.append(
        level.side,
        LadderLevel(key: ladderKey(level.side, level.price), id: 0, size: level.size.units))
    }
    apply(changes)
  }

  /// Adds levels, like single ``insert(_:)``.
  public mutating func mergeInserts(_ levels: [KeyedLevel]) {
    var changes = LevelChanges()
    for level in levels {
      let key = ladderKey(level.side, level.price)
      let old = identifiers.set(level.id, to: .init(side: level.side, key: key))
      if let old { changes.remove(level.id, at: old) }
      changes.append(level.side, LadderLevel(key: key, id: level.id, size: level.size.units))
    }
    apply(changes)
  }

  /// Changes levels, like single updates; returns the number of unknown IDs.
  public mutating func mergeUpdates(_ updates: [LevelUpdate]) -> Int {
    var changes = LevelChanges()
    // Sizes set by this batch, for a level that moves without a size.
    var sizes: [Int64: Int64] = [:]
    var unknown = 0
    for update in updates {
      guard let place = identifiers.place(of: update.id) else {
        unknown += 1
        continue
      }
      let key = update.price.map { ladderKey(place.side, $0) } ?? place.key
      let size =
        update.size?.units ?? sizes[update.id]
        ?? ladder(place.side).index(place.key, update.id).map {
          ladder(place.side).levels[$0].size
        }
      guard let size else {
        unknown += 1
        continue
      }
      sizes[update.id] = size
      if key != place.key {
        changes.remove(update.id, at: place)
        identifiers.set(update.id, to: .init(side: place.side, key: key))
      }
      changes.append(place.side, LadderLevel(key: key, id: update.id, size: size))
    }
    apply(changes)
    return unknown
  }

  /// Removes levels, like single ``delete(id:)``; returns the number of unknown IDs.
  public mutating func mergeDeletes(_ ids: [Int64]) -> Int {
    var changes = LevelChanges()
    var unknown = 0
    for id in ids {
      if let place = identifiers.remove(id) {
        changes.remove(id, at: place)
      } else {
        unknown += 1
      }
    }
    apply(changes)
    return unknown
  }

  private mutating func apply(_ changes: LevelChanges) {
    sides.bids.merge(changes.bids)
    sides.asks.merge(changes.asks)
  }
}

/// Changes of both sides, in order; a size of 0 or less removes a level.
private struct LevelChanges {
  var bids: [LadderLevel] = []
  var asks: [LadderLevel] = []

  mutating func append(_ side: BookSide, _ level: LadderLevel) {
    if side == .bid { bids.append(level) } else { asks.append(level) }
  }

  mutating func remove(_ id: Int64, at place: LevelIdentifierTable.Place) {
    append(place.side, LadderLevel(key: place.key, id: id, size: 0))
  }
}
