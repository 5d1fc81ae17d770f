// The fault table, row by row, at each book venue: a session and the simulated venue with one
// fault in between. A book that is shown as valid is one that the venue has sent, and recovers in
// the end.

import MarketModel
import TestSupport
import Testing
import VenueProtocols
import VenueSimulator

@Suite struct VenueFaultTests {
  /// Every book that a venue has sent at its rhythm, by its rows, from now on.
  private final class Publications {
    private var books: Set<[String]> = []

    func add(_ loop: BookLoop) {
      books.insert(loop.published())
      if loop.venue.venue == .binance { books.insert(loop.present()) }
    }

    /// Whether the book claims nothing, or is one of these.
    func isHonest(_ loop: BookLoop) -> Bool {
      guard let view = loop.book(), view.status == .synced else { return true }
      return books.contains(BookLoop.table(view))
    }
  }

  @Test(arguments: VenueCase.variants, [UInt64(1), 5].prefix(repetitions(1, all: 2)))
  func `without faults nothing is ever doubtful, whatever the venue's traps`(
    venue: VenueCase, seed: UInt64
  ) {
    var loop = venue.live(seed: seed)
    for _ in 0..<20 {
      loop.run(milliseconds: 3000)
      #expect(loop.isRight, "seed \(seed)")
    }
    #expect(loop.resyncs == 0 && loop.rejections == 0 && loop.reconnects == 0)
    #expect(loop.dissents == 0 && loop.driver.closed.isEmpty)
    #expect(loop.tape?.trades.count == 30)
    #expect(loop.quote?.bid != nil && loop.quote?.price != nil)
    #expect(loop.figures?.change != nil)
    guard venue.contradict != nil else { return }
    #expect(loop.book()?.witnesses?.dissents == [])
    #expect(loop.book()?.witnesses?.witnesses.contains(.quote) == true)
  }

  enum Fault: String, CaseIterable {
    case dropped, duplicated, cut, bent, swapped, delayed, replayed
  }

  @Test(arguments: VenueCase.all, Fault.allCases)
  func `one faulty message at any place leaves an honest book`(_ venue: VenueCase, _ fault: Fault) {
    // Only a checksum reveals another digit.
    if fault == .bent, venue.provenRows == BookView.depth { return }
    let places = [1, 2, 5, 41, 155, 3, 4, 6, 7, 9, 14, 20, 63, 90, 121, 200]
    for place in places.prefix(repetitions(3, all: places.count)) {
      // The first messages are those of a new connection.
      var loop = place < 20 ? BookLoop(venue, seed: 9) : venue.live(seed: 9)
      let target = loop.messages + place
      let published = Publications()
      var random = SplitMix64(seed: UInt64(place))
      var held: [UInt8]?
      var earlier: [UInt8]?
      loop.mischief = { number, bytes in
        earlier = earlier ?? bytes
        if number == target + (fault == .delayed ? 5 : 1), let late = held {
          held = nil
          return [bytes, late]
        }
        guard number == target else { return [bytes] }
        switch fault {
        case .dropped: return []
        case .duplicated: return [bytes, bytes]
        case .cut: return [Array(bytes.prefix(Int(random.below(Int64(bytes.count)))))]
        case .replayed: return [bytes, earlier ?? bytes]
        case .bent:
          var bent = bytes
          bent[Int(random.below(Int64(bytes.count)))] ^= 1
          return [bent]
        case .swapped, .delayed:
          held = bytes
          return []
        }
      }
      published.add(loop)
      if place < 20 { loop.connect() }
      let text = "\(fault.rawValue) message \(target), place \(place)"
      for _ in 0..<60 {
        published.add(loop)
        if venue.publishMilliseconds < 100, venue.provenRows == BookView.depth {
          // By the venue's rhythm, so that no publication is missed.
          for _ in 0..<(100 / venue.publishMilliseconds) {
            loop.run(milliseconds: venue.publishMilliseconds)
            published.add(loop)
          }
        } else {
          loop.run(milliseconds: 100)
          published.add(loop)
        }
        // Where only the next message of the book reveals a fault, it must have arrived.
        let isHonest =
          venue.refetch != nil && venue.publishMilliseconds > 0
          ? published.isHonest(loop) : loop.messages < target + 6 || loop.isHonest()
        #expect(isHonest, "\(text)")
      }
      // A lost welcome is repaired only by a new connection.
      if venue.venue == .kraken, loop.book()?.sequence == 0 { loop.connectAgain() }
      loop.run(milliseconds: 20_000)
      #expect(loop.book()?.status == .synced && loop.isHonest(), "\(text)")
      if venue.provenRows == BookView.depth { #expect(loop.isRight, "\(text)") }
      // At Coinbase the count of the connection reveals any loss; a message of trades that is cut
      // behind its number is repaired by their snapshot.
      guard venue.venue == .coinbase, fault != .cut else { continue }
      let isHarmless = fault == .duplicated || fault == .replayed
      #expect((loop.reconnects == 0) == isHarmless, "\(text)")
    }
  }

  /// Numbers begin at 0, and the next message comes with the next heartbeat.
  @Test func `a Coinbase connection whose first message is lost is replaced within a second`() {
    var loop = BookLoop(.coinbase, seed: 9)
    loop.stepMilliseconds = 50
    loop.mischief = { number, bytes in number == 1 ? [] : [bytes] }
    loop.connect()
    loop.run(milliseconds: 1050)
    #expect(loop.reconnects == 1 && loop.messages > 1)
    loop.run(milliseconds: 2000)
    #expect(loop.reconnects == 1 && loop.isRight)
  }

  @Test(arguments: VenueCase.all)
  func `a lost update is noticed with the next one and refetched at once`(venue: VenueCase) {
    var loop = venue.live(seed: 3)
    let before = loop.sent.count
    var lost = 0
    loop.mischief = { _, bytes in
      if lost == 0, venue.isBookUpdate(String(decoding: bytes.prefix(200), as: UTF8.self)) {
        lost += 1
        return []
      }
      return [bytes]
    }
    loop.run(milliseconds: 2000)
    // A new connection fetches every book again.
    #expect(lost == 1 && loop.resyncs == (venue.refetch == nil ? 2 : 1) && loop.isRight)
    if let refetch = venue.refetch {
      #expect(loop.sent.dropFirst(before).contains { $0.contains(refetch) })
      #expect(loop.reconnects == 0)
    } else {
      #expect(loop.reconnects == 1)
    }
  }

  @Test(arguments: VenueCase.all.filter { $0.contradict != nil })
  func `best levels that contradict the book at its own number refetch it`(venue: VenueCase) {
    var loop = venue.live(seed: 4)
    loop.mischief = { _, bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      return [venue.contradict?(text).map { Array($0.utf8) } ?? bytes]
    }
    loop.run(milliseconds: 20_000)
    #expect(loop.resyncs > 0)
    loop.mischief = { [$1] }
    loop.run(milliseconds: 12_000)
    #expect(loop.isRight)
  }

  @Test(arguments: VenueCase.all)
  func `silence makes everything stale`(venue: VenueCase) {
    var loop = venue.live()
    loop.mischief = { _, _ in [] }
    loop.run(milliseconds: 40_000)
    #expect(loop.book()?.freshness.state == .stale)
    #expect(loop.tape?.freshness.state == .stale)
  }

  @Test(arguments: VenueCase.all)
  func `a reconnect during a resync subscribes to each once`(venue: VenueCase) {
    var loop = BookLoop(venue)
    loop.connect()
    /// The requests by their text, without their numbers, pings, and the list of markets, which
    /// outlives the connection.
    func requests(_ sent: some Sequence<String>) -> [String] {
      sent.filter { !$0.contains("ping") && !BookLoop.isForList($0) }.map {
        $0.filter { !$0.isNumber }
      }.sorted()
    }
    loop.run(milliseconds: 10_000)
    let first = requests(loop.sent)
    loop.inject(venue.breaker, answering: false)
    #expect(loop.book()?.status == .resyncing)
    let before = loop.sent.count
    loop.connectAgain()
    loop.run(milliseconds: 5000)
    #expect(requests(loop.sent.dropFirst(before)) == first)
    #expect(loop.isRight && loop.tape?.trades.isEmpty == false)
  }

  @Test(arguments: VenueCase.all)
  func `an unsubscription during a resync leaves nothing behind`(venue: VenueCase) {
    var loop = venue.live()
    loop.inject(venue.breaker, answering: false)
    loop.want([])
    if venue.refetch == nil { loop.connectAgain() }
    loop.run(milliseconds: 20_000)
    #expect(loop.book()?.bids.isEmpty == true)
    loop.want(venue.streams)
    loop.run(milliseconds: 5000)
    #expect(loop.isRight)
  }

  @Test(arguments: VenueCase.all)
  func `a wall clock that jumps changes nothing`(venue: VenueCase) {
    var loop = venue.live()
    for jump in [-3_600_000, 7_200_000] as [Int64] {
      loop.jump(milliseconds: jump)
      loop.run(milliseconds: 5000)
      #expect(loop.isRight)
    }
  }

  @Test(arguments: VenueCase.all)
  func `losses of the venue itself are found by its proof`(venue: VenueCase) throws {
    var loop = venue.live(seed: 8)
    loop.stepMilliseconds = 50
    // Without a checksum another digit can't be found.
    try loop.driver.inject(venue.venue == .kraken ? "drop=2%, corrupt=2%" : "drop=3%")
    let published = Publications()
    var (wrong, longest) = (0, 0)
    for _ in 0..<(venue.venue == .kraken ? 2400 : 600) {
      for _ in 0..<(venue.publishMilliseconds == 20 ? 3 : 1) {
        loop.run(milliseconds: venue.publishMilliseconds == 20 ? 20 : 50)
        published.add(loop)
      }
      let isHonest =
        venue.refetch != nil && venue.publishMilliseconds > 0
        ? published.isHonest(loop) : loop.isHonest()
      wrong = isHonest ? 0 : wrong + 1
      longest = max(longest, wrong)
    }
    #expect(loop.resyncs > (venue.venue == .kraken ? 10 : 2), "\(loop.resyncs) resyncs")
    #expect(venue.venue != .kraken || (loop.book()?.sequence ?? 0) > 1000, "it recovers every time")
    // A lost update is found by the next message, at Coinbase at the latest by the heartbeat a
    // second later; a checksum comes with the next change.
    #expect(longest <= (venue.refetch == nil ? 20 : 30), "\(longest) looks of 50 ms")
    loop.driver.venue.clearFaults(at: loop.driver.now)
    loop.run(milliseconds: 20_000)
    #expect(loop.book()?.status == .synced && loop.isHonest())
  }
}
