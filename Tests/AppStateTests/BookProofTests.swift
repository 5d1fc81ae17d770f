// LT2: the render model's rows are those that the venue's checksum covers.

import MarketModel
import MarketStreams
import Testing
import VenueCatalogue

@testable import AppState

@Suite struct BookProofTests {
  private let pair: Symbol

  init() throws { pair = try symbol("BTC/USD") }

  private func row(_ price: Int64, _ size: Int64) -> BookRow {
    BookRow(
      price: Price(units: price), size: Quantity(units: size), accumulated: Quantity(units: size))
  }

  private func view(checksum: UInt32, bids: [BookRow], asks: [BookRow]) -> ScreenInput {
    let view = BookView(
      symbol: pair, status: .synced, freshness: fresh(.live), bids: bids, asks: asks,
      bidLevels: bids.count, askLevels: asks.count, priceScale: Scale(clamping: 1),
      quantityScale: Scale(clamping: 8), priceDecimals: Scale(clamping: 1), sequence: 1,
      resyncs: 0,
      proof: BookProof(checksum: checksum, at: ClockReading(milliseconds: 7)))
    return .value(MarketKey(.kraken, .book, pair), .book(view))
  }

  private var screen: BookScreen {
    var screen = BookScreen(symbol: pair)
    screen.take(connection(.kraken, .live))
    return screen
  }

  private var bids: [BookRow] { (0..<12).map { row(642_137 - $0, 154_582_015 + $0) } }
  private var asks: [BookRow] { (0..<12).map { row(642_140 + $0, 1 + $0 * 100) } }

  private var truth: UInt32 {
    var checksum = BookChecksum()
    return checksum.value(bids: bids, asks: asks)
  }

  @Test func `rows as they are drawn have the venue's checksum`() throws {
    var screen = screen
    screen.take(view(checksum: truth, bids: bids, asks: asks))
    #expect(screen.state.bids.count == 12 && screen.state.freshness.state == .live)
    #expect(screen.state.proof?.proof == BookProof(checksum: truth, at: .init(milliseconds: 7)))
    #expect(
      BookProofText.words(screen.state, at: ClockReading(milliseconds: 2007))
        == "Rows 1 to 10 proven by Kraken's checksum · 2 s ago")
  }

  @Test(arguments: 0..<12)
  func `rows that the checksum contradicts are never drawn`(_ place: Int) throws {
    var screen = screen
    screen.take(view(checksum: truth, bids: bids, asks: asks))
    let before = screen.state
    var wrong = bids
    wrong[place] = row(bids[place].price.units, bids[place].size.units + 1)
    screen.take(view(checksum: truth, bids: wrong, asks: asks))
    // The checksum covers only the best ten.
    let isCovered = place < 10
    #expect((screen.state.bids == before.bids) == isCovered)
    #expect(screen.state.proof == before.proof)
    #expect(screen.state.freshness.state == (isCovered ? .resyncing : .live))
    #expect(screen.state.status == (isCovered ? .resyncing : .synced))
    let words = BookProofText.words(screen.state, at: ClockReading(milliseconds: 7))
    #expect((words == nil) == isCovered)
    screen.take(view(checksum: truth, bids: bids, asks: asks))
    #expect(screen.state == before)
  }

  @Test func `rows that are wrong from the start leave the book empty`() throws {
    var screen = screen
    screen.take(view(checksum: truth ^ 1, bids: bids, asks: asks))
    #expect(screen.state.bids.isEmpty && screen.state.spread == nil)
    #expect(screen.state.proof == nil && screen.state.freshness.state == .resyncing)
  }

  @Test func `an unbroken sequence is called by its name and never a checksum`() throws {
    let product = try symbol("BTC-USD")
    var screen = BookScreen(symbol: product)
    screen.take(connection(.coinbase, .live))
    func view(_ unbroken: UnbrokenSequence?) -> ScreenInput {
      let view = BookView(
        symbol: product, status: .synced, freshness: fresh(.live), bids: bids, asks: asks,
        bidLevels: 12, askLevels: 12, priceScale: Scale(clamping: 1),
        quantityScale: Scale(clamping: 8), priceDecimals: Scale(clamping: 1), sequence: 1,
        resyncs: 0, unbroken: unbroken)
      return .value(MarketKey(.coinbase, .book, product), .book(view))
    }
    screen.take(view(UnbrokenSequence(messages: 1_234_567, at: ClockReading(milliseconds: 0))))
    #expect(
      BookProofText.words(screen.state, at: ClockReading(milliseconds: 2000))
        == "Unbroken: 1,234,567 messages of Coinbase since the snapshot · 2 s ago")
    #expect(screen.state.proof == nil && screen.state.truth?.level == .live)
    screen.take(view(nil))
    #expect(BookProofText.words(screen.state, at: ClockReading(milliseconds: 2000)) == nil)
    #expect(Venue.allCases.filter { $0.descriptor.bookAssurance == .checksum } == [.kraken])
    #expect(Venue.bitmex.descriptor.bookAssurance == .comparison)
    #expect(Venue.coinbase.descriptor.bookAssurance == .sequence)
  }
}
