// LT2: book, ticker and trades of the simulated Kraken side by side.

import MarketModel
import Testing
import VenueProtocols
import VenueSimulator

@Suite struct KrakenWitnessTests {
  private static let wanted: Set<Subscription> = [
    .init(.book, VenueCase.kraken.bitcoin), .init(.trades, VenueCase.kraken.bitcoin),
    .init(.figures, VenueCase.kraken.bitcoin),
  ]

  private func dissents(_ loop: BookLoop) -> [SessionEffect] {
    loop.effects.filter { if case .dissented = $0 { true } else { false } }
  }

  private func report(_ loop: BookLoop) -> WitnessReport? {
    let value = loop.session.value(for: .init(.book, VenueCase.kraken.bitcoin), at: loop.now)
    guard case .book(let view)? = value else { return nil }
    return view.witnesses
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `three of three agree, and go on to`(seed: UInt64) {
    var loop = BookLoop(.kraken, seed: seed, wanting: Self.wanted)
    loop.connect()
    for _ in 0..<480 { loop.run(milliseconds: 250) }
    #expect(report(loop)?.witnesses == [.book, .ticker, .trades], "seed \(seed)")
    #expect(dissents(loop).isEmpty, "seed \(seed)")
  }

  @Test func `a stopped ticker mismatches once the others have moved on for long`() {
    var loop = BookLoop(.kraken, seed: 6, wanting: Self.wanted)
    loop.connect()
    for _ in 0..<120 { loop.run(milliseconds: 250) }
    loop.mischief = { _, bytes in
      String(decoding: bytes.prefix(20), as: UTF8.self).contains("ticker") ? [] : [bytes]
    }
    for _ in 0..<240 { loop.run(milliseconds: 250) }
    let report = report(loop)
    #expect(report?.dissents.map(\.witness) == [.ticker])
    #expect(report?.agreeing == 2)
    loop.mischief = { [$1] }
    for _ in 0..<240 { loop.run(milliseconds: 250) }
    #expect(self.report(loop)?.dissents == [])
    #expect(dissents(loop).count >= 2)
  }
}
