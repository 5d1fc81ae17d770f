// LT2: the rows of the render model are those that the venue vouches for.

import MarketModel
import Testing

@testable import AppState

@Suite struct BookProofTests {
  private let pair: Symbol

  init() throws { pair = try symbol("BTC/USD") }

  private func row(_ price: Int64, _ size: Int64) -> BookRow {
    BookRow(
      price: Price(units: price), size: Quantity(units: size), accumulated: Quantity(units: size))
  }

  private func shown(checksum: UInt32, bids: [BookRow], asks: [BookRow]) throws -> BookState {
    let view = BookView(
      symbol: pair, status: .synced, freshness: fresh(.live), bids: bids, asks: asks,
      bidLevels: bids.count, askLevels: asks.count, priceScale: Scale(clamping: 1),
      quantityScale: Scale(clamping: 8), priceDecimals: Scale(clamping: 1), sequence: 1,
      resyncs: 0,
      proof: BookProof(checksum: checksum, at: ClockReading(milliseconds: 7)))
    var screen = BookScreen(symbol: pair)
    screen.take(connection(.kraken, .live))
    screen.take(.value(MarketKey(.kraken, .book, pair), .book(view)))
    return screen.state
  }

  @Test func `rows as they are drawn have the venue's checksum, and no others`() throws {
    let bids = (0..<12).map { row(642_137 - $0, 154_582_015 + $0) }
    let asks = (0..<12).map { row(642_140 + $0, 1 + $0 * 100) }
    var checksum = BookChecksum()
    let value = checksum.value(bids: bids, asks: asks)
    let state = try shown(checksum: value, bids: bids, asks: asks)
    let proof = try #require(state.proof)
    #expect(proof.proof.at == ClockReading(milliseconds: 7))
    #expect(proof.holds(bids: state.bids, asks: state.asks, &checksum))
    for place in 0..<12 {
      var wrong = bids
      wrong[place] = row(bids[place].price.units, bids[place].size.units + 1)
      let other = try shown(checksum: value, bids: wrong, asks: asks)
      let holds = proof.holds(bids: other.bids, asks: other.asks, &checksum)
      #expect(holds == (place >= 10), "row \(place)")
    }
  }
}
