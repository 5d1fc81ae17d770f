// The fault table, row by row: a session and the simulated Binance with one fault in between. A
// book that is shown as valid is one that the venue has had, and recovers in the end.

import MarketModel
import TestSupport
import Testing
import VenueProtocols
import VenueSimulator

@Suite struct BinanceFaultTests {
  private static let bitcoin = Symbol(known: "BTCUSDT")
  private static let book = Subscription(.book, bitcoin)
  private static let trades = Subscription(.trades, bitcoin)
  private static let streams: Set<Subscription> = [
    book, trades, Subscription(.quote, bitcoin), Subscription(.figures, bitcoin),
  ]

  private func loop(
    seed: UInt64 = 5, _ behaviour: BinanceBehaviour = BinanceBehaviour(), delay: Int64 = 0
  ) -> BookLoop<SimulatedBinance> {
    var loop = BookLoop(
      .binance,
      SimulatedBinance(
        seed: seed, start: BookLoop<SimulatedBinance>.start, behaviour: behaviour),
      path: "/stream", wanting: Self.streams)
    loop.responseMilliseconds = delay
    return loop
  }

  private func live(
    seed: UInt64 = 5, _ behaviour: BinanceBehaviour = BinanceBehaviour(), delay: Int64 = 0
  ) -> BookLoop<SimulatedBinance> {
    var loop = loop(seed: seed, behaviour, delay: delay)
    loop.connect()
    loop.run(milliseconds: 10_000)
    return loop
  }

  /// Every book that the venue has had at a publication or a snapshot, by its rows, from now on.
  private final class Publications {
    private var books: Set<[String]> = []

    func add(_ loop: BookLoop<SimulatedBinance>) {
      let venue = loop.driver.venue
      books.insert(venue.publishedLevels(BinanceFaultTests.bitcoin, depth: 20))
      books.insert(venue.presentLevels(BinanceFaultTests.bitcoin, depth: 20))
    }

    /// Whether the book claims nothing, or is one of these.
    func isHonest(_ loop: BookLoop<SimulatedBinance>) -> Bool {
      guard let view = loop.book(BinanceFaultTests.bitcoin), view.status == .synced else {
        return true
      }
      return books.contains(BookLoop<SimulatedBinance>.table(view, depth: 20))
    }
  }

  /// Whether the book is live and the last one that the venue has published.
  private func isRight(_ loop: BookLoop<SimulatedBinance>) -> Bool {
    let view = loop.book(Self.bitcoin)
    return view?.status == .synced && view?.freshness.state == .live
      && BookLoop<SimulatedBinance>.table(view, depth: 20)
        == loop.driver.venue.publishedLevels(Self.bitcoin, depth: 20)
  }

  @Test(arguments: [0, 150, 350, 1500] as [Int64])
  func `without faults nothing is ever doubtful, however long a response takes`(delay: Int64) {
    var loop = live(delay: delay)
    for _ in 0..<20 {
      loop.run(milliseconds: 3000)
      let isRight = isRight(loop)
      #expect(isRight)
    }
    #expect(loop.resyncs == 0 && loop.rejections == 0 && loop.driver.closed.isEmpty)
    #expect(loop.sent.count { $0.contains("depth?") } == 1)
    #expect(loop.tape(Self.bitcoin)?.trades.count == 30)
    #expect(loop.quote(Self.bitcoin)?.bid != nil && loop.quote(Self.bitcoin)?.price != nil)
    #expect(loop.figures(Self.bitcoin)?.change != nil)
    #expect(loop.book(Self.bitcoin)?.witnesses?.dissents == [])
    #expect(loop.book(Self.bitcoin)?.witnesses?.witnesses.contains(.quote) == true)
  }

  @Test func `a snapshot that is older than the stream is fetched again until it fits`() {
    var behaviour = BinanceBehaviour()
    behaviour.oldSnapshots = 3
    var loop = loop(behaviour)
    // The state of the start ends before the stream begins.
    loop.driver.run(milliseconds: 2000)
    loop.connect()
    loop.run(milliseconds: 2000)
    #expect(loop.book(Self.bitcoin)?.status == .waiting)
    loop.run(milliseconds: 18_000)
    let isRight = isRight(loop)
    #expect(isRight && loop.sent.count { $0.contains("depth?") } == 4)
  }

  @Test func `a limited snapshot comes after the wait that the venue demands`() {
    var behaviour = BinanceBehaviour()
    behaviour.limitedSnapshots = 2
    var loop = loop(behaviour)
    loop.connect()
    loop.run(milliseconds: 1500)
    #expect(loop.book(Self.bitcoin)?.status == .waiting && loop.rejections == 1)
    loop.run(milliseconds: 8000)
    let isRight = isRight(loop)
    #expect(isRight && loop.rejections == 2)
    #expect(loop.sent.count { $0.contains("depth?") } == 3)
  }

  @Test(arguments: [418, 451])
  func `a venue that refuses every request is not stormed, and trades go on`(status: Int) {
    var behaviour = BinanceBehaviour()
    behaviour.blockedStatus = status
    var loop = live(behaviour)
    loop.run(milliseconds: 240_000)
    #expect(loop.sent.count { $0.hasPrefix("GET") } <= 2)
    #expect(loop.tape(Self.bitcoin)?.freshness.state == .live)
    #expect(loop.book(Self.bitcoin)?.status == .waiting)
  }

  enum Fault: String, CaseIterable {
    case dropped, duplicated, cut, swapped, delayed
  }

  @Test(arguments: Fault.allCases)
  func `one faulty message at any place leaves an honest book`(_ fault: Fault) {
    let places = [1, 3, 6, 7, 20, 63, 90, 121]
    for place in places.prefix(repetitions(5, all: places.count)) {
      var loop = live(seed: 9)
      let published = Publications()
      published.add(loop)
      let target = loop.messages + place
      var held: [[UInt8]] = []
      loop.mischief = { number, bytes in
        if number == target + 5, fault == .delayed {
          defer { held = [] }
          return [bytes] + held
        }
        guard number == target else {
          defer { if fault == .swapped { held = [] } }
          return fault == .swapped ? [bytes] + held : [bytes]
        }
        switch fault {
        case .dropped: return []
        case .duplicated: return [bytes, bytes]
        case .cut: return [Array(bytes.prefix(bytes.count / 2))]
        case .swapped, .delayed:
          held = [bytes]
          return []
        }
      }
      for _ in 0..<60 {
        for _ in 0..<5 {
          loop.run(milliseconds: 20)
          published.add(loop)
        }
        let isHonest = published.isHonest(loop)
        #expect(isHonest, "\(fault.rawValue) message \(target)")
      }
      loop.run(milliseconds: 12_000)
      let isRight = isRight(loop)
      #expect(isRight, "\(fault.rawValue) message \(target)")
    }
  }

  @Test func `a lost update is noticed with the next one and refetched at once`() {
    var loop = live(seed: 3)
    var lost = 0
    loop.mischief = { _, bytes in
      let text = String(decoding: bytes.prefix(90), as: UTF8.self)
      if lost == 0, text.contains("depthUpdate") {
        lost += 1
        return []
      }
      return [bytes]
    }
    loop.run(milliseconds: 2000)
    #expect(lost == 1 && loop.resyncs == 1)
    let isRight = isRight(loop)
    #expect(isRight)
    #expect(loop.sent.last == "GET /api/v3/depth?symbol=BTCUSDT&limit=1000")
  }

  @Test func `best levels that contradict the book at its own number refetch it`() {
    var loop = live(seed: 4)
    loop.mischief = { _, bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.contains("bookTicker") else { return [bytes] }
      return [Array(text.replacing(#""B":""#, with: #""B":"7"#).utf8)]
    }
    loop.run(milliseconds: 20_000)
    #expect(loop.resyncs > 0)
    loop.mischief = { [$1] }
    loop.run(milliseconds: 12_000)
    let isRight = isRight(loop)
    #expect(isRight)
  }

  @Test func `silence makes everything stale`() {
    var loop = live()
    loop.mischief = { _, _ in [] }
    loop.run(milliseconds: 40_000)
    #expect(loop.book(Self.bitcoin)?.freshness.state == .stale)
    #expect(loop.tape(Self.bitcoin)?.freshness.state == .stale)
  }

  @Test func `a reconnect during a resync subscribes to each once`() {
    var loop = live()
    loop.inject("{", answering: false)
    #expect(loop.book(Self.bitcoin)?.status == .resyncing)
    let before = loop.sent.count
    loop.connectAgain()
    loop.run(milliseconds: 5000)
    let isRight = isRight(loop)
    let later = loop.sent.dropFirst(before)
    #expect(later.count { $0.contains("SUBSCRIBE") } == 1 && later.count == 3 && isRight)
    #expect(loop.driver.venue.symbols.count == 6)
  }

  @Test func `an unsubscription during a resync leaves nothing behind`() {
    var loop = live()
    loop.inject("{", answering: false)
    loop.want([])
    loop.run(milliseconds: 20_000)
    #expect(loop.book(Self.bitcoin)?.bids.isEmpty == true)
    loop.want([Self.book])
    loop.run(milliseconds: 5000)
    let isRight = isRight(loop)
    #expect(isRight)
  }

  @Test func `a server that announces its end is left`() {
    var loop = live()
    loop.inject(#"{"stream":"!serverShutdown","data":{"e":"serverShutdown","E":1}}"#)
    loop.run(milliseconds: 5000)
    let isRight = isRight(loop)
    #expect(loop.reconnects == 1 && isRight)
  }

  @Test func `a wall clock that jumps changes nothing`() {
    var loop = live()
    for jump in [-3_600_000, 7_200_000] as [Int64] {
      loop.jump(milliseconds: jump)
      loop.run(milliseconds: 5000)
      let isRight = isRight(loop)
      #expect(isRight)
    }
  }
}
