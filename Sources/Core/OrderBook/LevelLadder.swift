struct LadderLevel: Equatable {
  /// The price, bitwise complemented for asks, so that the best is the largest on both sides.
  var key: Int64
  /// The venue's ID; 0 without one.
  var id: Int64
  var size: Int64

  @inline(__always)
  func precedes(_ key: Int64, _ id: Int64) -> Bool {
    self.key < key || (self.key == key && self.id < id)
  }
}

/// One side of a book in ascending order of (key, id), each pair once, the best level last.
///
/// Most changes are near the best price, so most memory moves are short.
struct LevelLadder: Equatable {
  /// Sums of at most ``maximumPlainRows`` sizes of at most this don't overflow.
  private static let maximumPlainSize: UInt64 = 1 << 50
  static let maximumPlainRows = 8192

  private static let longestShortMove = 32

  private(set) var levels: [LadderLevel] = []
  /// Whether each level is a row: no two share a price, and all sizes are small and not negative.
  ///
  /// Once false it stays false until the ladder is emptied.
  private(set) var isPlain = true

  static func == (left: LevelLadder, right: LevelLadder) -> Bool { left.levels == right.levels }

  mutating func removeAll() {
    levels.removeAll(keepingCapacity: true)
    isPlain = true
  }

  @inline(__always)
  private mutating func check(size: Int64) {
    if UInt64(bitPattern: size) > Self.maximumPlainSize { isPlain = false }
  }

  /// Checks the levels from `start` on, and the price of the one before.
  private mutating func checkLevels(from start: Int) {
    for index in start..<max(start, levels.count) {
      check(size: levels[index].size)
      if index > 0, levels[index - 1].key == levels[index].key { isPlain = false }
    }
  }

  mutating func reserve(_ count: Int) { levels.reserveCapacity(count) }

  /// Appends regardless of order; ``sort()`` must follow before anything else.
  mutating func appendUnsorted(_ level: LadderLevel) { levels.append(level) }

  /// O(n) when in order or exactly reversed, as venues send them; else O(n log n).
  mutating func sort() {
    if !isAscending {
      levels.reverse()
      if !isAscending { levels.sort { $0.precedes($1.key, $1.id) } }
    }
    checkLevels(from: 0)
  }

  var isAscending: Bool {
    var index = 1
    while index < levels.count {
      if !levels[index - 1].precedes(levels[index].key, levels[index].id) { return false }
      index += 1
    }
    return true
  }

  /// The index of the first level that does not precede (key, id).
  ///
  /// O(log levels), faster near the best.
  @inline(__always)
  func lowerBound(_ key: Int64, _ id: Int64) -> Int {
    let low = lowerBound(key)
    guard low < levels.count, levels[low].precedes(key, id) else { return low }
    return lowerBound(key, id, from: low)
  }

  @inline(never)
  private func lowerBound(_ key: Int64, _ id: Int64, from start: Int) -> Int {
    var (low, high) = (start, levels.count)
    while low < high {
      let middle = (low + high) >> 1
      if levels[middle].precedes(key, id) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  @inline(__always)
  private func lowerBound(_ key: Int64) -> Int {
    levels.withUnsafeBufferPointer { levels in
      // Nine changes in ten are among the best 32 levels.
      let near = levels.count &- 32
      guard near >= 0, levels[near].key < key else {
        return Self.farLowerBound(levels, max(near, 0), key)
      }
      return Self.lowerBound(levels, near, eighth: 4, key)
    }
  }

  /// As ``lowerBound(_:)`` among eight times `eighth` levels from `low` on; `eighth` is at most 8.
  ///
  /// Counts lower keys an eighth apart, then within one, without unpredictable branches.
  @inline(__always)
  private static func lowerBound(
    _ levels: UnsafeBufferPointer<LadderLevel>, _ low: Int, eighth: Int, _ key: Int64
  ) -> Int {
    @inline(__always) func isLower(_ index: Int) -> Int { levels[index].key < key ? 1 : 0 }
    var eighths = isLower(low &+ eighth &- 1) &+ isLower(low &+ 2 &* eighth &- 1)
    eighths &+= isLower(low &+ 3 &* eighth &- 1) &+ isLower(low &+ 4 &* eighth &- 1)
    eighths &+= isLower(low &+ 5 &* eighth &- 1) &+ isLower(low &+ 6 &* eighth &- 1)
    eighths &+= isLower(low &+ 7 &* eighth &- 1)
    let start = low &+ eighths &* eighth
    var lower = 0
    for index in 0..<eighth { lower &+= isLower(start &+ index) }
    return start &+ lower
  }

  /// As ``lowerBound(_:)`` among the first `count` levels.
  @inline(never)
  private static func farLowerBound(
    _ levels: UnsafeBufferPointer<LadderLevel>, _ count: Int, _ key: Int64
  ) -> Int {
    var (low, high) = (0, count == 0 ? levels.count : count)
    while high &- low > 64 {
      // Eight parts, the last of which may be longer.
      let eighth = (high &- low) &>> 3
      var lower = 0
      for part in 1..<8 { lower &+= levels[low &+ part &* eighth &- 1].key < key ? 1 : 0 }
      low &+= lower &* eighth
      high = lower == 7 ? high : low &+ eighth
    }
    if high >= 64 { return lowerBound(levels, high &- 64, eighth: 8, key) }
    for index in low..<high { low &+= levels[index].key < key ? 1 : 0 }
    return low
  }

  @inline(__always)
  func index(_ key: Int64, _ id: Int64) -> Int? {
    let index = lowerBound(key, id)
    guard index < levels.count, levels[index].key == key, levels[index].id == id else { return nil }
    return index
  }

  /// Adds or resizes a level; O(distance from the best).
  mutating func set(_ level: LadderLevel) {
    check(size: level.size)
    let index = lowerBound(level.key, level.id)
    if index < levels.count, levels[index].key == level.key {
      if levels[index].id == level.id {
        levels[index].size = level.size
        return
      }
      isPlain = false
    }
    if index > 0, levels[index - 1].key == level.key { isPlain = false }
    insert(level, at: index)
  }

  @inline(__always)
  mutating func resize(_ key: Int64, _ id: Int64, to size: Int64) -> Bool {
    guard let index = index(key, id) else { return false }
    levels[index].size = size
    check(size: size)
    return true
  }

  /// O(distance from the best).
  mutating func remove(_ key: Int64, _ id: Int64) -> Int64? {
    guard let index = index(key, id) else { return nil }
    let size = levels[index].size
    remove(at: index)
    return size
  }

  /// As Array's method, but faster for the usual short moves.
  private mutating func insert(_ level: LadderLevel, at index: Int) {
    guard levels.count - index <= Self.longestShortMove else {
      return levels.insert(level, at: index)
    }
    levels.append(level)
    levels.withUnsafeMutableBufferPointer { levels in
      var hole = levels.count &- 1
      while hole > index {
        levels[hole] = levels[hole &- 1]
        hole &-= 1
      }
      levels[index] = level
    }
  }

  /// As Array's method, but faster for the usual short moves.
  private mutating func remove(at index: Int) {
    guard levels.count - index <= Self.longestShortMove else {
      levels.remove(at: index)
      return
    }
    levels.withUnsafeMutableBufferPointer { levels in
      var hole = index
      while hole < levels.count &- 1 {
        levels[hole] = levels[hole &+ 1]
        hole &+= 1
      }
    }
    levels.removeLast()
  }

  /// Applies changes in order; a size of 0 or less removes the level.
  ///
  /// O(distance from the best + m log m), or + m for changes sorted either way.
  mutating func merge(_ changes: [LadderLevel]) {
    let changes = Self.sorted(changes)
    guard let first = changes.first else { return }
    let start = lowerBound(first.key, first.id)
    let old = Array(levels[start...])
    levels.removeLast(old.count)
    levels.reserveCapacity(start + old.count + changes.count)
    var index = 0
    for change in changes {
      while index < old.count, old[index].precedes(change.key, change.id) {
        levels.append(old[index])
        index += 1
      }
      if index < old.count, old[index].key == change.key, old[index].id == change.id { index += 1 }
      if change.size > 0 { levels.append(change) }
    }
    levels.append(contentsOf: old[index...])
    checkLevels(from: start)
  }

  private static func sorted(_ changes: [LadderLevel]) -> [LadderLevel] {
    var ladder = LevelLadder()
    ladder.levels = changes
    if ladder.isAscending { return changes }
    ladder.levels.reverse()
    if ladder.isAscending { return ladder.levels }
    let order = changes.indices.sorted {
      changes[$0].precedes(changes[$1].key, changes[$1].id)
        || (!changes[$1].precedes(changes[$0].key, changes[$0].id) && $0 < $1)
    }
    var sorted: [LadderLevel] = []
    sorted.reserveCapacity(changes.count)
    for change in order.lazy.map({ changes[$0] }) {
      if let last = sorted.last, last.key == change.key, last.id == change.id {
        sorted.removeLast()
      }
      sorted.append(change)
    }
    return sorted
  }

  /// Drops all but the best `count` levels; O(n).
  mutating func keepBest(_ count: Int) {
    if levels.count > count { levels.removeFirst(levels.count - count) }
  }
}
