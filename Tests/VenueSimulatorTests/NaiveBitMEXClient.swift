import MarketModel
import Testing
import VenueSimulator

/// A minimal client, written from the protocol's description alone: applies every message and
/// reports inconsistencies.
///
/// The book is kept by id, from partials and deltas.
struct NaiveBitMEXClient {
  struct Level: Equatable {
    var isAsk: Bool
    /// The price in ten-thousandths: comparing integers keeps the tests fast.
    var price: Int64
    var priceText: String
    var size: Int64
  }

  let table: String
  let generation: BitMEXGeneration
  /// Whether every message is followed by a check of the whole book.
  let checksCrossing: Bool
  private(set) var levels: [Int64: Level] = [:]
  private(set) var hasPartial = false
  private(set) var messages: [String: Int] = [:]
  private(set) var rows: [String: Int] = [:]
  private(set) var faults: [String] = []

  init(table: String = "orderBookL2", generation: BitMEXGeneration, checksCrossing: Bool = true) {
    self.table = table
    self.generation = generation
    self.checksCrossing = checksCrossing
  }

  /// Applies a message of the table; ignores others.
  mutating func apply(_ bytes: [UInt8]) throws {
    let message = try JSONTree(bytes)
    guard message["table"]?.text == table, let action = message["action"]?.text else { return }
    if action == "partial" {
      hasPartial = true
      levels = [:]
    } else {
      messages[action, default: 0] += 1
      if !hasPartial { faults.append("\(action) before partial") }
    }
    for row in message["data"]?.elements ?? [] {
      if action != "partial" { rows[action, default: 0] += 1 }
      try apply(action, row)
    }
    if checksCrossing, isCrossed { faults.append("crossed after \(action)") }
  }

  private mutating func apply(_ action: String, _ row: JSONTree) throws {
    let id = try #require(row["id"]?.decimal?.units)
    let isAsk = row["side"]?.text == "Sell"
    let size = row["size"]?.decimal?.units
    let hasPrice = row["price"] != nil
    let isWholeRow = generation == .modern || action == "insert" || action == "partial"
    if hasPrice != isWholeRow { faults.append("price on \(action): \(hasPrice)") }
    if (row["timestamp"] != nil) != (generation == .modern) { faults.append("row time") }
    switch action {
    case "partial", "insert":
      if levels[id] != nil { faults.append("\(action) of a known id \(id)") }
      levels[id] = Level(
        isAsk: isAsk,
        price: try #require(row["price"]?.decimal?.exactly(at: Scale(clamping: 4))).units,
        priceText: try #require(row["price"]?.text), size: try #require(size))
    case "update":
      if levels[id] == nil { faults.append("update of unknown \(id)") }
      if levels[id]?.size == size { faults.append("update without change") }
      levels[id]?.size = try #require(size)
    case "delete":
      if levels[id] == nil { faults.append("delete of unknown \(id)") }
      if (size != nil) != (generation == .modern) { faults.append("size on delete") }
      if size == 0 { faults.append("zero size on delete") }
      levels[id] = nil
    default: faults.append("action \(action)")
    }
    if let size, size <= 0 { faults.append("size \(size)") }
  }

  var isCrossed: Bool {
    var (bid, ask) = (Int64.min, Int64.max)
    for level in levels.values {
      if level.isAsk { ask = min(ask, level.price) } else { bid = max(bid, level.price) }
    }
    return bid >= ask
  }

  /// The book in the form of `bookLevels`.
  var book: (bids: [SimulatedBookLevel], asks: [SimulatedBookLevel]) {
    let bids = levels.values.filter { !$0.isAsk }.sorted { $0.price > $1.price }
    let asks = levels.values.filter(\.isAsk).sorted { $0.price < $1.price }
    return (
      bids.map { SimulatedBookLevel(price: $0.priceText, size: $0.size) },
      asks.map { SimulatedBookLevel(price: $0.priceText, size: $0.size) }
    )
  }
}
