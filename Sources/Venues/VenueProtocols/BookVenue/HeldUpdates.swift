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
