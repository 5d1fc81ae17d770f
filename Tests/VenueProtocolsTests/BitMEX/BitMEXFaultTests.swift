// One fault at a time in a stream of messages, at every place. A small venue beside the session has
// the true book and answers each snapshot request.

import MarketModel
import OrderBook
import Testing
import VenueProtocols

/// A stream of book messages with the true book before and after each.
struct FaultStream {
  static let xbtusd = symbol("XBTUSD")

  let partial: String
  let changes: [String]

  /// A seeded market of some twenty levels a side that never crosses.
  init(seed: UInt64, count: Int, withPrices: Bool) {
    var random = SplitMix64(seed: seed)
    var sizes: [Int64: Int64] = [:]
    var middle: Int64 = 1000
    for price in 980...1020 where price != 1000 { sizes[Int64(price)] = 1 + random.below(90) }
    func row(_ price: Int64, _ size: Int64, full: Bool) -> String {
      let side = price < middle ? "Buy" : "Sell"
      let shown = full || withPrices ? "\(price).5" : "-"
      return "\(5_000_000 - price * 50) \(side) \(shown) \(size)"
    }
    let rows = sizes.sorted { $0.key > $1.key }.map { row($0.key, $0.value, full: true) }
    let data = rows.map { Wire.row($0) }.joined(separator: ",")
    partial =
      #"{"table":"orderBookL2","action":"partial","filter":{"symbol":"XBTUSD"},"data":[\#(data)]}"#
    var changes: [String] = []
    while changes.count < count {
      let price = middle - 15 + random.below(31)
      if price == middle { continue }
      let size = 1 + random.below(500)
      if sizes[price] == nil {
        sizes[price] = size
        changes.append(Wire.change("insert", row(price, size, full: true)))
      } else if random.below(3) == 0, sizes[price - 1] != nil, sizes[price + 1] != nil {
        sizes[price] = nil
        changes.append(Wire.change("delete", row(price, 77, full: false)))
      } else {
        sizes[price] = size
        changes.append(Wire.change("update", row(price, size, full: false)))
      }
      if random.below(12) == 0 {
        middle += 1
        if sizes.removeValue(forKey: middle) != nil {
          changes.append(Wire.change("delete", "\(5_000_000 - middle * 50) Sell - 9"))
        }
      }
    }
    self.changes = changes
  }

  static func snapshot(of book: OrderBook) -> String {
    let rows = BookSide.allCases.flatMap { side in
      book.levels(side).map { level in
        let price = FixedDecimal(level.price, scale: Scale(clamping: 8)).trimmed
        return Wire.row("\(level.id) \(side == .bid ? "Buy" : "Sell") \(price) \(level.size.units)")
      }
    }
    return #"{"table":"orderBookL2","action":"partial","filter":{"symbol":"XBTUSD"},"data":["#
      + rows.joined(separator: ",") + "]}"
  }
}

/// A session beside the venue's own book.
struct FaultRun {
  var harness = SessionHarness(wanting: .init(.book, FaultStream.xbtusd))
  var truth = BitMEXReplay()
  var resyncs = 0
  var reconnects = 0
  var rejected = 0

  init(_ stream: FaultStream) {
    venueMakes(stream.partial)
    deliver(stream.partial)
  }

  mutating func venueMakes(_ text: String) {
    let problem = truth.process(Array(text.utf8), at: harness.now)
    precondition(problem == nil, "the stream of a test is sound")
  }

  /// Delivers a message to the session; the venue answers its requests.
  mutating func deliver(_ text: String) { deliver(bytes: Array(text.utf8)) }

  mutating func deliver(bytes: [UInt8]) { answer(harness.receive(bytes: bytes)) }

  mutating func wait(_ milliseconds: Int64) { answer(harness.wait(milliseconds)) }

  private mutating func answer(_ effects: [SessionEffect]) {
    var asks = false
    for effect in effects {
      switch effect {
      case .resynced: resyncs += 1
      case .reconnect: reconnects += 1
      case .rejected: rejected += 1
      case .send(let message):
        asks = asks || String(decoding: message.bytes, as: UTF8.self).contains("\"subscribe\"")
      default: break
      }
    }
    if asks, let book = truth.book(for: FaultStream.xbtusd) {
      deliver(FaultStream.snapshot(of: book))
    }
  }

  var isRight: Bool {
    guard let view = harness.book(FaultStream.xbtusd),
      let book = truth.book(for: FaultStream.xbtusd)
    else { return false }
    return view.bids == book.rows(.bid) && view.asks == book.rows(.ask)
      && view.bidLevels == book.levelCount(.bid) && view.askLevels == book.levelCount(.ask)
  }

  var showsLive: Bool { harness.book(FaultStream.xbtusd)?.freshness.state == .live }
}

@Suite struct BitMEXFaultTests {
  private let streams = [
    FaultStream(seed: 11, count: 60, withPrices: true),
    FaultStream(seed: 12, count: 60, withPrices: false),
  ]

  @Test func `without a fault the book is right and live after every message`() {
    for stream in streams {
      var run = FaultRun(stream)
      for change in stream.changes {
        run.venueMakes(change)
        run.deliver(change)
        #expect(run.isRight && run.showsLive)
      }
      #expect(run.resyncs == 0 && run.rejected == 0)
    }
  }

  @Test func `a truncated message is rejected, and the book is refetched`() {
    for stream in streams {
      for (place, change) in stream.changes.enumerated() {
        var run = FaultRun(stream)
        for change in stream.changes.prefix(place) {
          run.venueMakes(change)
          run.deliver(change)
        }
        run.venueMakes(change)
        run.deliver(bytes: Array(change.utf8.prefix(1 + place * 7 % (change.utf8.count - 1))))
        #expect(run.rejected == 1 && run.resyncs == 1 && run.isRight, "place \(place)")
      }
    }
  }

  @Test func `every prefix of a message is rejected`() {
    let change = streams[0].changes[0]
    let base = FaultRun(streams[0])
    for length in 0..<change.utf8.count {
      var run = base
      run.deliver(bytes: Array(change.utf8.prefix(length)))
      #expect(run.rejected == 1, "length \(length)")
      #expect(run.isRight)
    }
  }

  @Test func `a duplicate message leaves a correct book or one marked as incorrect`() {
    for stream in streams {
      for place in stream.changes.indices {
        var run = FaultRun(stream)
        for (index, change) in stream.changes.enumerated() {
          run.venueMakes(change)
          run.deliver(change)
          if index == place { run.deliver(change) }
          #expect(run.isRight || !run.showsLive, "place \(place), message \(index)")
        }
        #expect(run.isRight)
        #expect(run.reconnects == 0)
      }
    }
  }

  /// The feed has no sequence number, so a lost or swapped message can stay unseen for a while; the
  /// book is right again after the next snapshot, and a detected fault is reported.
  @Test(arguments: ["drop", "swap"])
  func `a lost or swapped message is cured by the next snapshot`(fault: String) {
    var noticed = 0
    for stream in streams {
      for place in stream.changes.indices.dropLast() {
        var run = FaultRun(stream)
        for (index, change) in stream.changes.enumerated() {
          run.venueMakes(change)
          if fault == "swap" {
            if index == place { continue }
            run.deliver(change)
            if index == place + 1 { run.deliver(stream.changes[place]) }
          } else if index != place {
            run.deliver(change)
          }
        }
        run.wait(5100)
        noticed += run.resyncs
        #expect(run.reconnects == 0, "no storm")
        if run.resyncs > 0, run.harness.book(FaultStream.xbtusd)?.status == .synced {
          let book = run.truth.book(for: FaultStream.xbtusd)
          run.deliver(FaultStream.snapshot(of: book ?? OrderBook()))
        } else if let book = run.truth.book(for: FaultStream.xbtusd) {
          run.deliver(FaultStream.snapshot(of: book))
        }
        #expect(run.isRight, "place \(place)")
        #expect(run.harness.book(FaultStream.xbtusd)?.status == .synced)
      }
    }
    #expect(noticed > 0)
  }

  @Test func `a lost insert is noticed when its level changes`() {
    let stream = FaultStream(seed: 3, count: 1, withPrices: false)
    var run = FaultRun(stream)
    let insert = Wire.change("insert", "77 Buy 900 5")
    let update = Wire.change("update", "77 Buy - 6")
    run.venueMakes(insert)
    run.venueMakes(update)
    run.deliver(update)
    #expect(!run.showsLive)
    run.wait(5100)
    #expect(run.resyncs == 1)
    #expect(run.isRight && run.showsLive)
  }

  @Test func `flipped bytes never crash and never leave an unreadable message unnoticed`() {
    var random = SplitMix64(seed: 99)
    let base = FaultRun(streams[0])
    for round in 0..<4000 {
      var run = base
      let change = streams[0].changes[Int(random.below(Int64(streams[0].changes.count)))]
      var bytes = Array(change.utf8)
      for _ in 0...random.below(3) {
        bytes[Int(random.below(Int64(bytes.count)))] ^= UInt8(1 << random.below(8))
      }
      run.deliver(bytes: bytes)
      if run.rejected > 0, String(decoding: bytes, as: UTF8.self).contains("orderBookL2\"") {
        #expect(run.resyncs == 1, "seed 99, round \(round)")
      }
    }
  }

  @Test func `random bytes are rejected`() {
    var random = SplitMix64(seed: 4)
    var run = FaultRun(streams[0])
    for _ in 0..<500 {
      let bytes = (0..<random.below(60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      run.harness.receive(bytes: bytes)
      guard case .rejected? = run.harness.effects.first else {
        Issue.record("not rejected: \(bytes)")
        return
      }
    }
  }

  @Test func `garbage without end leads to one reconnect, not to a storm of requests`() {
    var harness = SessionHarness(wanting: .init(.book, FaultStream.xbtusd))
    var requests = 0
    var reconnects = 0
    for round in 0..<1000 {
      if round % 10 == 0 { harness.receive(streams[0].partial) }
      for effect in harness.receive("garbage") {
        if case .send = effect { requests += 1 }
        if case .reconnect = effect { reconnects += 1 }
      }
      if reconnects > 0 { break }
    }
    #expect(reconnects == 1)
    #expect(requests <= 6)
  }

  @Test func `a truncated partial is requested again`() {
    var harness = SessionHarness(wanting: .init(.book, FaultStream.xbtusd))
    harness.receive(bytes: Array(streams[0].partial.utf8.dropLast(9)))
    #expect(harness.book(FaultStream.xbtusd)?.status == .waiting)
    harness.wait(10_100)
    #expect(harness.sent == Wire.repair)
    harness.receive(streams[0].partial)
    #expect(harness.book(FaultStream.xbtusd)?.status == .synced)
  }
}
