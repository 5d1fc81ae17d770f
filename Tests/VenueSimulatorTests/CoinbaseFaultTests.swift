// The fault table, row by row: a session and the simulated Coinbase with one fault in between. A
// book that is shown as valid is always the venue's, and recovers in the end.

import MarketModel
import TestSupport
import Testing
import VenueProtocols
import VenueSimulator

struct CoinbaseFaultTests {
  private static let streams: Set<Subscription> = [
    Subscription(.book, CoinbaseLoop.bitcoin), Subscription(.trades, CoinbaseLoop.bitcoin),
    Subscription(.quote, CoinbaseLoop.bitcoin), Subscription(.figures, CoinbaseLoop.bitcoin),
    Subscription(.book, CoinbaseLoop.ether),
  ]

  private func live(seed: UInt64 = 5) -> CoinbaseLoop {
    var loop = CoinbaseLoop(seed: seed, wanting: Self.streams)
    loop.run(milliseconds: 10_000)
    return loop
  }

  private func isHonest(_ loop: CoinbaseLoop, _ symbol: Symbol = CoinbaseLoop.bitcoin) -> Bool {
    guard let view = loop.book(symbol), view.status == .synced else { return true }
    return CoinbaseLoop.table(view) == loop.truth(symbol)
  }

  private func isRight(_ loop: CoinbaseLoop) -> Bool {
    [CoinbaseLoop.bitcoin, CoinbaseLoop.ether].allSatisfy { symbol in
      let view = loop.book(symbol)
      return view?.status == .synced && view?.freshness.state == .live && isHonest(loop, symbol)
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `without faults nothing is ever doubtful, whatever the venue's traps`(seed: UInt64) {
    var loop = live(seed: seed)
    for _ in 0..<80 {
      loop.run(milliseconds: 250)
      let right = isRight(loop)
      #expect(right, "seed \(seed)")
    }
    #expect(loop.reconnects == 0 && loop.driver.closed.isEmpty)
    #expect(
      loop.effects.allSatisfy { effect in
        switch effect {
        case .rejected, .resynced, .dissented: false
        default: true
        }
      })
    #expect(loop.tape()?.trades.count == 30 && loop.figures()?.last != nil)
    let numbers = loop.tape()?.trades.map(\.identifier) ?? []
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 == $1 + 1 })
    #expect(loop.figures()?.last.map { $0 == loop.tape()?.shownNewest } == true)
  }

  @Test func `the side of a trade is the taker's`() {
    var loop = live()
    loop.run(milliseconds: 60_000)
    // The venue sends the maker's side; its tape has the taker's.
    var (buys, sells) = (0, 0)
    for case .happened(_, .trade(let trade, _, _)) in loop.effects {
      if trade.side == .buy { buys += 1 } else { sells += 1 }
    }
    let raw = loop.driver.venue.takerCounts(CoinbaseLoop.bitcoin.text, latest: buys + sells)
    #expect(buys > 0 && sells > 0)
    #expect(raw?.buys == buys && raw?.sells == sells)
  }

  enum Fault: String, CaseIterable {
    case dropped, duplicated, cut, swapped, replayed
  }

  @Test(arguments: Fault.allCases)
  func `one faulty message at any place leaves an honest book at Coinbase`(_ fault: Fault) {
    let places = [1, 2, 3, 4, 6, 9, 14, 41, 155, 20, 63, 90, 121, 200]
    for place in places.prefix(repetitions(9, all: places.count)) {
      var loop = CoinbaseLoop(seed: 9, wanting: Self.streams)
      var waiting: [UInt8]?
      var earlier: [UInt8]?
      var random = SplitMix64(seed: UInt64(place))
      let target = loop.messages + place
      loop.mischief = { number, bytes in
        if let held = waiting {
          waiting = nil
          return [bytes, held]
        }
        if earlier == nil { earlier = bytes }
        guard number == target else { return [bytes] }
        switch fault {
        case .dropped: return []
        case .duplicated: return [bytes, bytes]
        case .cut: return [Array(bytes.prefix(Int(random.below(Int64(bytes.count)))))]
        case .replayed: return [bytes, earlier ?? bytes]
        case .swapped:
          waiting = bytes
          return []
        }
      }
      for _ in 0..<60 {
        loop.run(milliseconds: 250)
        // The next message reveals it, so it must have arrived.
        for symbol in [CoinbaseLoop.bitcoin, CoinbaseLoop.ether] {
          let isHonest = loop.messages <= target + 1 || isHonest(loop, symbol)
          #expect(isHonest, "\(fault.rawValue) message \(target)")
        }
      }
      loop.run(milliseconds: 20_000)
      let right = isRight(loop)
      #expect(right, "\(fault.rawValue) message \(target)")
      // A message of trades that is cut behind its number is repaired by their snapshot.
      if fault == .cut { continue }
      let isHarmless = fault == .duplicated || fault == .replayed
      #expect((loop.reconnects == 0) == isHarmless, "\(fault.rawValue) message \(target)")
    }
  }

  @Test func `trades missed in an outage are reported once, in order`() {
    var loop = live(seed: 21)
    let target = loop.messages + 40
    loop.mischief = { number, bytes in number == target ? [] : [bytes] }
    loop.run(milliseconds: 60_000)
    #expect(loop.reconnects == 1)
    let arrivals = loop.effects.compactMap { effect -> Int64? in
      guard case .happened(_, .trade(let trade, _, _)) = effect else { return nil }
      return trade.identifier
    }
    #expect(arrivals.count > 5 && zip(arrivals, arrivals.dropFirst()).allSatisfy { $1 == $0 + 1 })
  }

  @Test func `faults of the venue itself are found by its count`() throws {
    let start = VenueDriver<SimulatedCoinbase>.start
    let venue = FaultyVenue(SimulatedCoinbase(seed: 8, start: start), seed: 8)
    var driver = VenueDriver(venue)
    try driver.inject("drop=3%")
    var session = CoinbaseSession(origin: .simulated)
    let book = Subscription(.book, CoinbaseLoop.bitcoin)
    var (client, resyncs, wrong, longest) = (0, 0, 0, 0)
    func now() -> ClockReading {
      ClockReading(
        monotonic: MonotonicTime(nanoseconds: driver.now.nanoseconds - start.nanoseconds),
        wall: driver.now)
    }
    _ = session.handle(.wanted([book]), at: now())
    var isOpen = false
    for _ in 0..<400 {
      if !isOpen {
        isOpen = true
        client += 1
        driver.connect(client, VenueRequest(path: "/advanced"))
        for case .send(let message) in session.handle(.opened, at: now()) {
          driver.send(String(decoding: message.bytes, as: UTF8.self), from: client)
        }
      }
      driver.run(milliseconds: 50)
      for bytes in driver.takeBytes(client) where isOpen {
        for effect in session.receive(bytes.span, kind: .text, at: now()) {
          switch effect {
          case .send(let message):
            driver.send(String(decoding: message.bytes, as: UTF8.self), from: client)
          case .resynced: resyncs += 1
          case .reconnect:
            isOpen = false
            driver.venue.disconnect(ClientID(client))
            _ = session.handle(.closed, at: now())
          default: break
          }
        }
      }
      guard case .book(let view)? = session.value(for: book, at: now()), view.status == .synced,
        let truth = driver.venue.venue.publishedLevels("BTC-USD", depth: BookView.depth)
      else {
        wrong = 0
        continue
      }
      let rows = (truth.bids + truth.asks).map { "\($0.price)×\($0.quantity)" }
      wrong = CoinbaseLoop.table(view) == rows ? 0 : wrong + 1
      longest = max(longest, wrong)
    }
    #expect(client > 3 && resyncs > 2, "\(client) connections, \(resyncs) resyncs")
    // A lost update is found by the next message, at the latest by the heartbeat a second later.
    #expect(longest <= 20, "\(longest) looks of 50 ms")
  }
}

extension TapeView {
  /// The price of the newest trade.
  fileprivate var shownNewest: FixedDecimal? {
    trades.first.map { FixedDecimal($0.price, scale: priceScale) }
  }
}
