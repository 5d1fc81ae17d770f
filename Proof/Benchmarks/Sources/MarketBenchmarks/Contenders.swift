// The same work by this project's decoder and book, and by JSONDecoder with a sorted array, as a
// simple app would do it. Both return the same checksum.

import Foundation
import MarketModel
import OrderBook
import VenueProtocols

/// The sum over all messages of the best 20 a side, weighted by row; ticks are half dollars.
struct Checksum {
  private(set) var value: UInt64 = 0

  mutating func add(_ row: Int, ticks: Int64, size: Int64, factor: Int64) {
    value &+= UInt64(bitPattern: Int64(row + 1) &* (ticks &* factor &+ size))
  }
}

enum Contenders {
  /// Parses, applies and reads the best 20 a side after every message.
  ///
  /// The snapshot at the start is not measured, as in the references of other languages.
  static func livetape(_ stream: MessageStream, _ watch: inout Stopwatch) -> UInt64 {
    guard let symbol = Symbol("XBTUSD"), let snapshot = stream.ranges.first else { return 0 }
    var replay = BitMEXReplay()
    var (bids, asks): ([BookRow], [BookRow]) = ([], [])
    let now = ClockReading(milliseconds: 0)
    let bytes = stream.bytes.span
    replay.process(bytes.extracting(snapshot), at: now)
    readTop(symbol, &replay, &bids, &asks)
    watch.restart()
    for range in stream.ranges.dropFirst() {
      if let problem = replay.process(bytes.extracting(range), at: now) { fatalError("\(problem)") }
      readTop(symbol, &replay, &bids, &asks)
    }
    return UInt64(bids.count + asks.count)
  }

  /// As ``livetape(_:)``, with the sum of all read rows.
  static func livetapeChecked(_ stream: MessageStream, _ watch: inout Stopwatch) -> UInt64 {
    guard let symbol = Symbol("XBTUSD"), let snapshot = stream.ranges.first else { return 0 }
    var replay = BitMEXReplay()
    var checksum = Checksum()
    var (bids, asks): ([BookRow], [BookRow]) = ([], [])
    let now = ClockReading(milliseconds: 0)
    let bytes = stream.bytes.span
    replay.process(bytes.extracting(snapshot), at: now)
    read(symbol, &replay, &bids, &asks, &checksum)
    watch.restart()
    for range in stream.ranges.dropFirst() {
      if let problem = replay.process(bytes.extracting(range), at: now) { fatalError("\(problem)") }
      read(symbol, &replay, &bids, &asks, &checksum)
    }
    return checksum.value
  }

  /// As ``livetape(_:)`` without reading the book.
  static func livetapeApplyOnly(_ stream: MessageStream, _ watch: inout Stopwatch) -> UInt64 {
    var replay = BitMEXReplay()
    let now = ClockReading(milliseconds: 0)
    let bytes = stream.bytes.span
    for range in stream.ranges { replay.process(bytes.extracting(range), at: now) }
    return UInt64(replay.rejectedMessages)
  }

  /// Every message through a session without subscriptions: rows are decoded and dropped.
  static func livetapeDecodeOnly(_ stream: MessageStream, _ watch: inout Stopwatch) -> UInt64 {
    var session = BitMEXSession(origin: .simulated)
    let now = ClockReading(milliseconds: 0)
    _ = session.handle(.opened, at: now)
    var effects: UInt64 = 0
    let bytes = stream.bytes.span
    for range in stream.ranges {
      effects &+= UInt64(session.receive(bytes.extracting(range), kind: .text, at: now).count)
    }
    return effects
  }

  /// The snapshot, then its best 20 a side once for each message.
  static func livetapeReadOnly(_ stream: MessageStream, _ watch: inout Stopwatch) -> UInt64 {
    guard let symbol = Symbol("XBTUSD"), let snapshot = stream.ranges.first else { return 0 }
    var replay = BitMEXReplay()
    var (bids, asks): ([BookRow], [BookRow]) = ([], [])
    replay.process(stream.bytes.span.extracting(snapshot), at: ClockReading(milliseconds: 0))
    for _ in stream.ranges { readTop(symbol, &replay, &bids, &asks) }
    return UInt64(bids.count + asks.count)
  }

  /// As ``livetape(_:)`` through a whole session, with its effects.
  static func livetapeSession(_ stream: MessageStream, _ watch: inout Stopwatch) -> UInt64 {
    guard let symbol = Symbol("XBTUSD") else { return 0 }
    var session = BitMEXSession(origin: .simulated)
    let now = ClockReading(milliseconds: 0)
    _ = session.handle(.wanted([.init(.book, symbol), .init(.trades, symbol)]), at: now)
    _ = session.handle(.opened, at: now)
    let welcome = Array(#"{"info":"Welcome"}"#.utf8)
    _ = session.receive(welcome.span, kind: .text, at: now)
    var effects: UInt64 = 0
    let bytes = stream.bytes.span
    for range in stream.ranges {
      effects &+= UInt64(session.receive(bytes.extracting(range), kind: .text, at: now).count)
    }
    return effects
  }

  /// Never inlined, so that reads are not optimized away.
  @inline(never)
  private static func readTop(
    _ symbol: Symbol, _ replay: inout BitMEXReplay, _ bids: inout [BookRow],
    _ asks: inout [BookRow]
  ) {
    _ = replay.copyBestRows(of: symbol, bids: &bids, asks: &asks)
  }

  @inline(__always)
  private static func read(
    _ symbol: Symbol, _ replay: inout BitMEXReplay, _ bids: inout [BookRow],
    _ asks: inout [BookRow], _ checksum: inout Checksum
  ) {
    readTop(symbol, &replay, &bids, &asks)
    add(bids, factor: 31, to: &checksum)
    add(asks, factor: 37, to: &checksum)
  }

  private static func add(_ rows: [BookRow], factor: Int64, to checksum: inout Checksum) {
    let rows = rows.span
    var index = 0
    while index < rows.count {
      let row = rows[index]
      checksum.add(
        index, ticks: row.price.units / 50_000_000, size: row.size.units, factor: factor)
      index += 1
    }
  }

  /// JSONDecoder and one sorted array a side.
  static func plain(_ stream: MessageStream, _ watch: inout Stopwatch) -> UInt64 {
    let decoder = JSONDecoder()
    var book = PlainBook()
    var checksum = Checksum()
    for range in stream.ranges {
      let data = Data(stream.bytes[range])
      guard let message = try? decoder.decode(PlainMessage.self, from: data) else {
        fatalError("bad message")
      }
      if message.table == "orderBookL2" { book.apply(message) }
      for (index, level) in book.bids.suffix(20).reversed().enumerated() {
        checksum.add(index, ticks: level.ticks, size: level.size, factor: 31)
      }
      for (index, level) in book.asks.prefix(20).enumerated() {
        checksum.add(index, ticks: level.ticks, size: level.size, factor: 37)
      }
    }
    return checksum.value
  }
}

private struct PlainMessage: Decodable {
  struct Row: Decodable {
    let id: Int64?
    let side: String?
    let size: Int64?
    let price: Double?
  }

  let table: String
  let action: String
  let data: [Row]
}

private struct PlainBook {
  struct Level {
    let ticks: Int64
    var size: Int64
  }

  /// Ascending by price.
  var bids: [Level] = []
  var asks: [Level] = []
  private var ticksByID: [Int64: Int64] = [:]

  mutating func apply(_ message: PlainMessage) {
    if message.action == "partial" {
      bids = []
      asks = []
      ticksByID = [:]
    }
    for row in message.data {
      guard let id = row.id, let side = row.side else { continue }
      if let price = row.price { ticksByID[id] = Int64(price * 2) }
      guard let ticks = ticksByID[id] else { continue }
      let size = message.action == "delete" ? nil : row.size
      if side == "Buy" { Self.set(&bids, ticks, size) } else { Self.set(&asks, ticks, size) }
      if message.action == "delete" { ticksByID[id] = nil }
    }
  }

  private static func set(_ levels: inout [Level], _ ticks: Int64, _ size: Int64?) {
    var (low, high) = (0, levels.count)
    while low < high {
      let middle = (low + high) / 2
      if levels[middle].ticks < ticks { low = middle + 1 } else { high = middle }
    }
    let isThere = low < levels.count && levels[low].ticks == ticks
    if let size {
      if isThere {
        levels[low].size = size
      } else {
        levels.insert(Level(ticks: ticks, size: size), at: low)
      }
    } else if isThere {
      levels.remove(at: low)
    }
  }
}
