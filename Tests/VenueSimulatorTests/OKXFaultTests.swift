// The fault table, row by row: a session and the simulated OKX with one fault in between. A book
// that is shown as valid is one that the venue has published, and recovers in the end.

import MarketModel
import TestSupport
import Testing
import VenueProtocols
import VenueSimulator

@Suite struct OKXFaultTests {
  private static let bitcoin = Symbol(known: "BTC-USDT")
  private static let book = Subscription(.book, bitcoin)
  private static let trades = Subscription(.trades, bitcoin)
  private static let streams: Set<Subscription> = [
    book, trades, Subscription(.quote, bitcoin), Subscription(.figures, bitcoin),
  ]

  private func live(
    seed: UInt64 = 5, _ behaviour: OKXBehaviour = OKXBehaviour()
  ) -> BookLoop<SimulatedOKX> {
    var loop = BookLoop(
      .okx, SimulatedOKX(seed: seed, start: BookLoop<SimulatedOKX>.start, behaviour: behaviour),
      path: "/ws/v5/public", wanting: Self.streams)
    loop.connect()
    loop.run(milliseconds: 10_000)
    return loop
  }

  /// Every book that the venue has published, by its rows, from now on.
  private final class Publications {
    private var books: Set<[String]> = []

    func add(_ loop: BookLoop<SimulatedOKX>) {
      let published = loop.driver.venue.publishedLevels(OKXFaultTests.bitcoin, depth: 20)
      books.insert(published)
    }

    /// Whether the book claims nothing, or is one of these.
    func isHonest(_ loop: BookLoop<SimulatedOKX>) -> Bool {
      guard let view = loop.book(OKXFaultTests.bitcoin), view.status == .synced else { return true }
      return books.contains(BookLoop<SimulatedOKX>.table(view, depth: 20))
    }
  }

  /// Whether the book is live and the last one that the venue has published.
  private func isRight(_ loop: BookLoop<SimulatedOKX>) -> Bool {
    let view = loop.book(Self.bitcoin)
    return view?.status == .synced && view?.freshness.state == .live
      && BookLoop<SimulatedOKX>.table(view, depth: 20)
        == loop.driver.venue.publishedLevels(Self.bitcoin, depth: 20)
  }

  @Test(arguments: OKXBehaviour.Checksum.allCases)
  func `without faults nothing is ever doubtful`(checksum: OKXBehaviour.Checksum) {
    var behaviour = OKXBehaviour()
    behaviour.checksum = checksum
    behaviour.resetMilliseconds = 7000
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

  @Test func `without snapshots in the stream books are joined over HTTP, and repaired`() {
    var behaviour = OKXBehaviour()
    behaviour.sendsSnapshots = false
    var loop = live(seed: 8, behaviour)
    let isJoined = isRight(loop)
    #expect(isJoined && loop.sent.contains { $0.hasPrefix("GET /api/v5/market/books") })
    for _ in 0..<10 {
      var isLost = false
      loop.mischief = { _, bytes in
        let isBook = String(decoding: bytes.prefix(40), as: UTF8.self).contains(#""books""#)
        guard isBook, !isLost else { return [bytes] }
        isLost = true
        return []
      }
      loop.run(milliseconds: 5000)
      let isRepaired = isRight(loop)
      #expect(isRepaired)
    }
    #expect(loop.driver.closed.isEmpty)
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
        loop.run(milliseconds: 100)
        published.add(loop)
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
      if lost == 0, text.contains(#""books","instId""#), text.contains(#""update""#) {
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

  @Test func `a lost trade restarts the list, and none is reported twice`() {
    var loop = live(seed: 21)
    loop.forgetEffects()
    var lost = 0
    loop.mischief = { _, bytes in
      let isTrade = String(decoding: bytes.prefix(40), as: UTF8.self).contains(#""trades""#)
      if isTrade, lost < 3 {
        lost += 1
        return []
      }
      return [bytes]
    }
    loop.run(milliseconds: 120_000)
    #expect(lost == 3)
    let arrivals = loop.effects.compactMap { effect -> UInt64? in
      guard case .happened(_, .trade(let trade, _, _)) = effect else { return nil }
      return trade.arrival
    }
    #expect(arrivals.count > 5 && zip(arrivals, arrivals.dropFirst()).allSatisfy { $1 > $0 })
    #expect(loop.sent.contains { $0.contains("unsubscribe") && $0.contains(#""trades""#) })
    #expect(loop.tape(Self.bitcoin)?.freshness.state == .live)
  }

  @Test func `without snapshots in the stream and over HTTP no book is shown`() {
    var behaviour = OKXBehaviour()
    behaviour.sendsSnapshots = false
    var loop = live(behaviour)
    loop.refusesRequests = true
    loop.connectAgain()
    for _ in 0..<180 {
      loop.run(milliseconds: 1000)
      #expect(loop.book(Self.bitcoin)?.status != .synced)
    }
    #expect(loop.sent.count < 40, "requests are spaced")
    loop.refusesRequests = false
    loop.run(milliseconds: 61_000)
    let isRight = isRight(loop)
    #expect(isRight)
  }

  @Test func `best levels that contradict the book at its own number refetch it`() {
    var loop = live(seed: 4)
    loop.mischief = { _, bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.contains(#""bbo-tbt""#) else { return [bytes] }
      return [Array(text.replacing(#""bids":[["#, with: #""bids":[["1","1","0","1"],["#).utf8)]
    }
    loop.run(milliseconds: 5000)
    #expect(loop.resyncs > 0)
    loop.mischief = { [$1] }
    loop.run(milliseconds: 12_000)
    let isRight = isRight(loop)
    #expect(isRight)
  }

  @Test func `an announced upgrade leads to one new connection`() {
    var loop = live()
    loop.inject(
      #"{"event":"notice","msg":"The connection will soon be closed","code":"64008","connId":"1"}"#)
    loop.run(milliseconds: 5000)
    let isRight = isRight(loop)
    #expect(loop.reconnects == 1 && isRight)
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
