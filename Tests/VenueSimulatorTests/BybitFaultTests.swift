// The fault table, row by row: a session and the simulated Bybit with one fault in between. A book
// that is shown as valid is one that the venue has published, and recovers in the end.

import MarketModel
import TestSupport
import Testing
import VenueProtocols
import VenueSimulator

@Suite struct BybitFaultTests {
  private static let bitcoin = Symbol(known: "BTCUSDT")
  private static let book = Subscription(.book, bitcoin)
  private static let trades = Subscription(.trades, bitcoin)
  private static let streams: Set<Subscription> = [
    book, trades, Subscription(.quote, bitcoin), Subscription(.figures, bitcoin),
  ]

  private func live(
    seed: UInt64 = 5, _ behaviour: BybitBehaviour = BybitBehaviour()
  ) -> BookLoop<SimulatedBybit> {
    var loop = BookLoop(
      .bybit,
      SimulatedBybit(seed: seed, start: BookLoop<SimulatedBybit>.start, behaviour: behaviour),
      path: "/v5/public/spot", wanting: Self.streams)
    loop.connect()
    loop.run(milliseconds: 10_000)
    return loop
  }

  /// Every book that the venue has published, by its rows, from now on.
  private final class Publications {
    private var books: Set<[String]> = []

    func add(_ loop: BookLoop<SimulatedBybit>) {
      let published = loop.driver.venue.publishedLevels(BybitFaultTests.bitcoin, depth: 20)
      books.insert(published)
    }

    /// Whether the book claims nothing, or is one of these.
    func isHonest(_ loop: BookLoop<SimulatedBybit>) -> Bool {
      guard let view = loop.book(BybitFaultTests.bitcoin), view.status == .synced else {
        return true
      }
      return books.contains(BookLoop<SimulatedBybit>.table(view, depth: 20))
    }
  }

  /// Whether the book is live and the last one that the venue has published.
  private func isRight(_ loop: BookLoop<SimulatedBybit>) -> Bool {
    let view = loop.book(Self.bitcoin)
    return view?.status == .synced && view?.freshness.state == .live
      && BookLoop<SimulatedBybit>.table(view, depth: 20)
        == loop.driver.venue.publishedLevels(Self.bitcoin, depth: 20)
  }

  @Test(arguments: [false, true])
  func `without faults nothing is ever doubtful`(snapshotsComeFirst: Bool) {
    var behaviour = BybitBehaviour()
    behaviour.snapshotsComeFirst = snapshotsComeFirst
    behaviour.restartMilliseconds = 7000
    var loop = live(behaviour)
    for _ in 0..<20 {
      loop.run(milliseconds: 3000)
      let isRight = isRight(loop)
      #expect(isRight)
    }
    #expect(loop.resyncs == 0 && loop.rejections == 0 && loop.driver.closed.isEmpty)
    #expect(loop.tape(Self.bitcoin)?.trades.count == 30)
    #expect(loop.quote(Self.bitcoin)?.bid != nil && loop.quote(Self.bitcoin)?.price != nil)
    #expect(loop.figures(Self.bitcoin)?.change != nil)
    #expect(loop.book(Self.bitcoin)?.witnesses?.dissents == [])
    #expect(loop.book(Self.bitcoin)?.witnesses?.witnesses.contains(.quote) == true)
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
        // By the venue's rhythm, so that no publication is missed.
        published.add(loop)
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
      if lost == 0, text.contains("orderbook.50"), text.contains(#""delta""#) {
        lost += 1
        return []
      }
      return [bytes]
    }
    loop.run(milliseconds: 1000)
    #expect(lost == 1 && loop.resyncs == 1)
    let isRight = isRight(loop)
    #expect(isRight)
    #expect(loop.sent.suffix(2).first?.contains("unsubscribe") == true)
  }

  @Test func `a topic that the venue has already subscribed gets its snapshot in the end`() {
    var loop = BookLoop(
      .bybit, SimulatedBybit(seed: 2, start: BookLoop<SimulatedBybit>.start),
      path: "/v5/public/spot", wanting: Self.streams)
    var isLost = false
    loop.mischief = { _, bytes in
      // The first message with the snapshot of the book is lost, and the response, too.
      let text = String(decoding: bytes.prefix(60), as: UTF8.self)
      if !isLost, text.contains("orderbook.50") {
        isLost = true
        return []
      }
      return [bytes]
    }
    loop.connect()
    loop.run(milliseconds: 15_000)
    let isRight = isRight(loop)
    #expect(isRight && isLost)
  }

  @Test func `best levels that contradict the book at its own number refetch it`() {
    var loop = live(seed: 4)
    loop.mischief = { _, bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.contains("orderbook.1.") else { return [bytes] }
      return [Array(text.replacing(#""b":[["#, with: #""b":[["1","1"],["#).utf8)]
    }
    loop.run(milliseconds: 5000)
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
    #expect(loop.sent.count == before + 1 && isRight)
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
