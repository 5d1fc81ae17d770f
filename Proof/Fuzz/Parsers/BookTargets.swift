// Venues' books against a plain copy: an input's bytes are changes, encoded as valid venue messages
// with checksums. A synced book has the copy's rows, and a correct stream is synced.

import MarketModel

@testable import VenueProtocols

private struct PlainSide {
  let isBid: Bool
  var levels: [Int64: Int64] = [:]

  /// Best first.
  var rows: [(price: Int64, size: Int64)] {
    levels.map { (price: $0.key, size: $0.value) }
      .sorted { isBid ? $0.price > $1.price : $0.price < $1.price }
  }

  mutating func trim(toDepth depth: Int) {
    guard levels.count > depth else { return }
    for row in rows.dropFirst(depth) { levels[row.price] = nil }
  }
}

/// A book, and whether everything since its snapshot was right.
private struct PlainBook {
  var bids = PlainSide(isBid: true)
  var asks = PlainSide(isBid: false)
  var isTrusted = false

  var isCrossed: Bool {
    guard let bid = bids.levels.keys.max(), let ask = asks.levels.keys.min() else { return false }
    return bid >= ask
  }

  /// Compares with what a session shows; units of the copy are worth `priceFactor` and `sizeFactor`
  /// of those of the view.
  func check(_ value: MarketValue?, _ priceFactor: Int64 = 1, _ sizeFactor: Int64 = 1) {
    guard case .book(let view) = value else { fail("no book") }
    guard (view.status == .synced) == isTrusted else {
      fail("a book that is \(isTrusted ? "right" : "doubtful") is \(view.status)")
    }
    guard isTrusted else { return }
    for (side, shown) in [(bids, view.bids), (asks, view.asks)] {
      let rows = side.rows.prefix(BookView.depth)
      guard rows.count == shown.count else { fail("\(shown.count) rows of \(rows.count)") }
      for (row, found) in zip(rows, shown)
      where row.price * priceFactor != found.price.units
        || row.size * sizeFactor != found.size.units
      {
        fail("\(found) where \(row) is right")
      }
    }
  }
}

// MARK: - Kraken

private let ether = Subscription(.book, symbol("ETH/BTC"))
private let venuesDepth = 100

/// Records of four bytes: an action, a price, a size of 16 bits.
@Sendable func krakenBook(_ bytes: Span<UInt8>) {
  var session = kraken
  var book = PlainBook()
  var changes: [(isBid: Bool, price: Int64, size: Int64)] = []
  var now: Int64 = 1_000_010
  var index = 0
  func send(isSnapshot: Bool, flaw: UInt32) {
    for change in changes {
      let size = change.size == 0 ? nil : change.size
      if change.isBid {
        book.bids.levels[change.price] = size
      } else {
        book.asks.levels[change.price] = size
      }
    }
    book.bids.trim(toDepth: venuesDepth)
    book.asks.trim(toDepth: venuesDepth)
    if isSnapshot {
      changes = book.bids.rows.map { (true, $0.price, $0.size) }
      changes += book.asks.rows.map { (false, $0.price, $0.size) }
    }
    let message = krakenMessage(changes, book, isSnapshot: isSnapshot, flaw: flaw)
    changes = []
    _ = session.receive(message.span, kind: .text, at: moment(now))
    now += 7
    book.isTrusted = (isSnapshot || book.isTrusted) && flaw == 0 && !book.isCrossed
    book.check(session.value(for: ether, at: moment(now)))
  }
  while index + 4 <= bytes.count {
    let code = bytes[index]
    switch code & 3 {
    case 3: send(isSnapshot: true, flaw: 0)
    case 2: send(isSnapshot: false, flaw: code >= 0xf0 ? UInt32(bytes[index + 1]) : 0)
    default:
      let size = Int64(bytes[index + 2]) << 8 | Int64(bytes[index + 3])
      let isBid = code & 4 == 0
      changes.append((isBid, Int64(bytes[index + 1]) + (isBid ? 1000 : 1200), size))
    }
    index += 4
  }
  send(isSnapshot: false, flaw: 0)
}

private func krakenMessage(
  _ changes: [(isBid: Bool, price: Int64, size: Int64)], _ book: PlainBook, isSnapshot: Bool,
  flaw: UInt32
) -> ContiguousArray<UInt8> {
  func rows(_ side: PlainSide) -> [BookRow] {
    side.rows.prefix(BookChecksum.depth).map {
      BookRow(
        price: Price(units: $0.price), size: Quantity(units: $0.size), accumulated: .zero)
    }
  }
  var checksum = BookChecksum()
  var text = ContiguousArray<UInt8>()
  text += #"{"channel":"book","type":""#.utf8
  text += (isSnapshot ? "snapshot" : "update").utf8
  text += #"","data":[{"symbol":"ETH/BTC""#.utf8
  for isBid in [true, false] {
    text += (isBid ? #","bids":["# : #","asks":["#).utf8
    var isFirst = true
    for change in changes where change.isBid == isBid {
      text += (isFirst ? #"{"price":"# : #",{"price":"#).utf8
      isFirst = false
      text += FixedDecimal(units: change.price, scale: Scale(clamping: 6)).description.utf8
      text += #","qty":"#.utf8
      text += FixedDecimal(units: change.size, scale: Scale(clamping: 8)).description.utf8
      text += "}".utf8
    }
    text += "]".utf8
  }
  text += #","checksum":"#.utf8
  text += String(checksum.value(bids: rows(book.bids), asks: rows(book.asks)) ^ flaw).utf8
  text += #","timestamp":"2026-08-26T15:16:16.576099Z"}]}"#.utf8
  return text
}

// MARK: - BitMEX

private let bitcoin = Subscription(.book, symbol("XBTUSD"))

/// Records of four bytes: an action, an id, which is a price on either side, a size of 16 bits.
@Sendable func bitmexBook(_ bytes: Span<UInt8>) {
  var session = bitmex
  var book = PlainBook()
  var now: Int64 = 1_000_010
  var index = 0
  var misses = 0
  while index + 4 <= bytes.count {
    let code = bytes[index]
    let size = Int64(bytes[index + 2]) << 8 | Int64(bytes[index + 3]) + 1
    let isBid = code & 4 == 0
    let price = Int64(bytes[index + 1]) + (isBid ? 1000 : 1200)
    let known = book.bids.levels[price] ?? book.asks.levels[price]
    var action = "update"
    switch code & 3 {
    case 3: action = "partial"
    case 2: action = "delete"
    default: action = known == nil && code < 0xf0 ? "insert" : "update"
    }
    var rows = [(isBid: isBid, price: price, size: size)]
    if action == "partial" {
      rows = book.bids.rows.map { (true, $0.price, $0.size) }
      rows += book.asks.rows.map { (false, $0.price, $0.size) }
      misses = 0
    } else if known == nil, action != "insert" {
      misses += 1
    } else {
      // An update names its side and can't move a level to the other one.
      let onBids = action == "insert" ? isBid : book.bids.levels[price] != nil
      let isDeleted = action == "delete"
      book.bids.levels[price] = onBids && !isDeleted ? size : nil
      book.asks.levels[price] = onBids || isDeleted ? nil : size
    }
    let message = bitmexMessage(action, rows)
    _ = session.receive(message.span, kind: .text, at: moment(now))
    now += 7
    book.isTrusted =
      (action == "partial" || book.isTrusted) && misses < BitMEXBookSync.missLimit
      && !book.isCrossed
    let value = session.value(for: bitcoin, at: moment(now))
    if case .book(let view) = value {
      book.check(value, power(view.priceScale), power(view.quantityScale))
    }
    index += 4
  }
}

private func power(_ scale: Scale) -> Int64 {
  (0..<scale.digits).reduce(1) { product, _ in product * 10 }
}

private func bitmexMessage(
  _ action: String, _ rows: [(isBid: Bool, price: Int64, size: Int64)]
) -> ContiguousArray<UInt8> {
  var text = ContiguousArray<UInt8>()
  text += #"{"table":"orderBookL2","action":""#.utf8
  text += action.utf8
  text += (action == "partial" ? #"","filter":{"symbol":"XBTUSD"}"# : #"""#).utf8
  text += #","data":["#.utf8
  var isFirst = true
  for row in rows {
    text += (isFirst ? #"{"symbol":"XBTUSD","id":"# : #",{"symbol":"XBTUSD","id":"#).utf8
    isFirst = false
    text += String(row.price).utf8
    text += (row.isBid ? #","side":"Buy""# : #","side":"Sell""#).utf8
    if action != "delete" {
      text += #","size":"#.utf8
      text += String(row.size).utf8
    }
    if action == "insert" || action == "partial" {
      text += #","price":"#.utf8
      text += String(row.price).utf8
    }
    text += "}".utf8
  }
  text += "]}".utf8
  return text
}
