// A hundred thousand updates of the simulated Kraken, each proven by its checksum, and the effect
// of a missed one: each single one of 20,000 at depth 10, samples of 6,000 at depth 100.

import MarketModel
import OrderBook
import TestSupport
import Testing

@testable import VenueProtocols
@testable import VenueSimulator

private struct Stream {
  struct Message {
    let action: KrakenAction
    let levels: [LevelRow]
    let part: KrakenBookPart
  }

  private(set) var messages: [Message] = []

  /// A snapshot and `count` updates of BTC/USD at a depth.
  init(seed: UInt64, depth: Int, count: Int) throws {
    var driver = VenueDriver(SimulatedKraken(seed: seed, start: VenueDriver<SimulatedKraken>.start))
    driver.connect(1, VenueRequest(path: "/v2"))
    driver.send(
      #"{"method":"subscribe","params":{"channel":"book","symbol":["BTC/USD"],"depth":\#(depth)}}"#,
      from: 1)
    var decoder = KrakenDecoder(takesEverything: true)
    while messages.count <= count {
      driver.send(#"{"method":"ping"}"#, from: 1)
      driver.run(milliseconds: 30_000)
      for bytes in driver.takeBytes(1) {
        guard case .books(let action) = try decoder.decode(bytes.span) else { continue }
        let part = try #require(decoder.books.first)
        messages.append(Message(action: action, levels: decoder.levels, part: part))
      }
    }
    messages.removeLast(messages.count - count - 1)
  }
}

private struct Reader {
  var sync = KrakenBookSync()
  private var checksum = KrakenChecksum()
  private var milliseconds: Int64 = 0

  init(depth: Int) { sync.grant(depth: depth) }

  @discardableResult
  mutating func take(_ message: Stream.Message) -> BookTrust.Outcome {
    milliseconds += 1
    return sync.apply(
      message.levels, message.part, message.action, &checksum,
      at: ClockReading(milliseconds: milliseconds))
  }

  var proven: [BookRow] { sync.book.rows(.ask, limit: 10) + sync.book.rows(.bid, limit: 10) }
}

struct KrakenProofTests {
  private static let seed: UInt64 = 20_261_121

  @Test func `updates of seven pairs verify one by one`() throws {
    let goal = UInt64(repetitions(10_000, all: 100_000))
    let symbols = KrakenPair.allSymbols
    var loop = BookLoop(
      .kraken, seed: Self.seed, wanting: Set(symbols.map { Subscription(.book, $0) }))
    loop.connect()
    var updates: UInt64 = 0
    var checks = 0
    var checksum = BookChecksum()
    while updates < goal {
      loop.run(milliseconds: 5000)
      updates = symbols.compactMap { loop.book($0)?.sequence }.reduce(0, +)
      for symbol in symbols {
        let view = try #require(loop.book(symbol))
        try #require(view.status == .synced && view.resyncs == 0, "\(symbol), seed \(Self.seed)")
        try #require(BookLoop.table(view) == loop.published(symbol), "\(symbol), seed \(Self.seed)")
        try #require(view.bidLevels == 100 && view.askLevels == 100)
        // Many messages arrive between two checks: rows and proof are both of the latest one.
        try #require(
          checksum.value(bids: view.bids, asks: view.asks) == view.proof?.checksum, "\(symbol)")
        checks += 1
      }
    }
    #expect(checks > goal / 100)
    #expect(!loop.effects.contains { if case .rejected = $0 { true } else { false } })
  }

  @Test func `at depth 10 a book that misses any one update is found by the next checksum`() throws
  {
    let stream = try Stream(seed: Self.seed, depth: 10, count: 20_000)
    var truth = Reader(depth: 10)
    var (found, healed) = (0, 0)
    for index in 0..<(stream.messages.count - 1) {
      let before = truth
      #expect(truth.take(stream.messages[index]) == .applied, "message \(index)")
      guard index > 0 else { continue }
      // The message at `index` is missed; the one after it is not.
      var reader = before
      let outcome = reader.take(stream.messages[index + 1])
      var after = truth
      after.take(stream.messages[index + 1])
      if reader.proven == after.proven {
        healed += 1
        #expect(outcome == .applied, "message \(index), seed \(Self.seed)")
      } else {
        found += 1
        #expect(outcome == .needsSnapshot, "message \(index), seed \(Self.seed)")
      }
    }
    #expect(found + healed == 19_999)
    // The next update sometimes sets the same level again: then nothing is wrong.
    #expect(found > 14_000, "\(found) found, \(healed) healed")
  }

  @Test func `at depth 100 the best ten are never wrong without notice`() throws {
    let stream = try Stream(seed: Self.seed + 1, depth: 100, count: 6000)
    var truths: [OrderBook] = []
    var truth = Reader(depth: 100)
    for message in stream.messages {
      #expect(truth.take(message) == .applied)
      truths.append(truth.sync.book)
    }
    var (found, healed, unseen) = (0, 0, 0)
    for missed in stride(from: 1, to: 4000, by: 37) {
      var reader = Reader(depth: 100)
      for message in stream.messages[max(0, missed - 1)..<missed] where missed == 1 {
        reader.take(message)
      }
      if missed > 1 { reader.start(from: truths[missed - 1]) }
      var end = missed + 1
      while end < min(missed + 2000, stream.messages.count) {
        let outcome = reader.take(stream.messages[end])
        let isRight = reader.proven == Reader.proven(truths[end])
        #expect(isRight == (outcome == .applied), "missed \(missed), message \(end)")
        if outcome == .needsSnapshot || reader.sync.book == truths[end] { break }
        end += 1
      }
      if reader.sync.trust.isDoubtful {
        found += 1
      } else if end < stream.messages.count, reader.sync.book == truths[end] {
        healed += 1
      } else {
        unseen += 1
      }
    }
    // A level between the eleventh and the hundredth is proven when it enters the best ten.
    #expect(found > 20 && healed > 20, "\(found) found, \(healed) healed, \(unseen) unseen")
  }
}

extension KrakenPair {
  static var allSymbols: [Symbol] { deep.filter { !$0.isToken }.compactMap { Symbol($0.symbol) } }
}

extension Reader {
  fileprivate mutating func start(from book: OrderBook) {
    let levels = BookSide.allCases.flatMap { side in
      book.levels(side).map {
        LevelRow(isBid: side == .bid, price: $0.price.units, size: $0.size.units)
      }
    }
    var checksum = KrakenChecksum()
    let scales = BookScales(price: .whole, quantity: .whole)
    let part = KrakenBookPart(
      pair: 0, levels: 0..<levels.count, checksum: checksum.value(of: book), scales: scales)
    take(Stream.Message(action: .snapshot, levels: levels, part: part))
  }

  fileprivate static func proven(_ book: OrderBook) -> [BookRow] {
    book.rows(.ask, limit: 10) + book.rows(.bid, limit: 10)
  }
}
