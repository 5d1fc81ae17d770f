// The book and trades of a venue's market as the order service receives them.

import AppState
import MarketModel
import MarketStreams
import PaperTrading
import Testing
import VenueCatalogue

@Suite struct OrderMarketGateTests {
  private let now = ClockReading(milliseconds: 5000)
  private let instrument: BookInstrument

  init() throws {
    let key = try #require(InstrumentKey(text: "kraken:BTC/USD"))
    instrument = try #require(BookCatalogue.instrument(key))
  }

  private func book(
    _ state: FreshnessState, status: BookStatus = .synced, isKnown: Bool = true
  ) -> (StreamInput, BookView) {
    let row = BookRow(
      price: Price(units: 100), size: Quantity(units: 1), accumulated: Quantity(units: 1))
    let view = BookView(
      symbol: instrument.symbol, status: status,
      freshness: Freshness(
        state: state, origin: .simulated, confirmedAt: now, lateAfterMilliseconds: 3000),
      bids: [], asks: [row], bidLevels: 0, askLevels: 1, priceScale: .whole,
      quantityScale: .whole, priceDecimals: .whole, sequence: 7, resyncs: 0, isKnown: isKnown)
    return (.value(instrument.bookKey, .book(view)), view)
  }

  private func trade(_ number: Int64) -> (StreamInput, MarketInput) {
    let trade = Trade(
      price: Price(units: 100), size: Quantity(units: 1), side: .buy, time: now.wall,
      arrival: UInt64(max(0, number)), identifier: number)
    return (
      .event(
        instrument.tradesKey, .trade(trade, priceScale: .whole, quantityScale: .whole)),
      .trade(trade, priceScale: .whole, quantityScale: .whole)
    )
  }

  private func connection(_ phase: ConnectionPhase) -> StreamInput {
    var status = ConnectionStatus(venue: .kraken, origin: .simulated, since: now)
    status.phase = phase
    return .connection(status)
  }

  @Test func `only a live and synced book is a market, and any other ends it once`() {
    let fees = FeeRates(maker: 1, taker: 2)
    var gate = OrderMarketGate(instrument, fees: fees)
    let waiting = gate.receive(book(.waiting).0, at: now)
    let early = gate.receive(book(.resyncing, status: .resyncing).0, at: now)
    #expect(waiting.isEmpty && early.isEmpty && !gate.isOpen)
    let (live, view) = book(.live)
    let late = now.monotonic.adding(milliseconds: 3000)
    let opened = gate.receive(live, at: now)
    #expect(opened == [.book(view, currency: "USD", fees: fees, lateAt: late)])
    #expect(gate.isOpen)
    for state in [FreshnessState.late, .stale, .resyncing] {
      let first = gate.receive(book(state).0, at: now)
      let second = gate.receive(book(state).0, at: now)
      #expect(first == [.freshness(state)] && second.isEmpty)
    }
    let again = gate.receive(book(.live).0, at: now)
    #expect(again == opened)
  }

  @Test func `a market that the venue lacks never opens`() {
    var gate = OrderMarketGate(instrument)
    let unknown = gate.receive(book(.live, isKnown: false).0, at: now)
    #expect(unknown.isEmpty && gate.isUnknown && !gate.isOpen)
  }

  @Test func `trades are missed unless the next number follows the connection's loss`() {
    var gate = OrderMarketGate(instrument)
    _ = gate.receive(connection(.live), at: now)
    let (first, second, later) = (trade(5), trade(6), trade(9))
    let one = gate.receive(first.0, at: now)
    #expect(one == [first.1])
    _ = gate.receive(connection(.backingOff), at: now)
    _ = gate.receive(connection(.live), at: now)
    let two = gate.receive(second.0, at: now)
    #expect(two == [second.1])
    _ = gate.receive(connection(.backingOff), at: now)
    let three = gate.receive(later.0, at: now)
    #expect(three == [.missedTrades, later.1])
    let missed = gate.receive(.event(instrument.tradesKey, .missed), at: now)
    #expect(missed == [.missedTrades])
  }

  @Test func `contracts are no market for paper orders`() {
    let contracts = BookCatalogue.instruments.filter { $0.contract != .base }
    #expect(!contracts.isEmpty)
    for instrument in contracts { #expect(instrument.obstacle != nil, "\(instrument.symbol)") }
    #expect(instrument.obstacle == nil)
  }

  @Test func `a market whose currency only the venue's list states waits for it`() throws {
    let key = try #require(InstrumentKey(text: "binance:LTCUSDT"))
    let listed = try #require(BookCatalogue.instrument(key))
    var gate = OrderMarketGate(listed)
    func view(_ item: ListedInstrument?) -> BookView {
      BookView(
        symbol: key.symbol, status: .synced,
        freshness: Freshness(state: .live, origin: .simulated, confirmedAt: now), bids: [],
        asks: [], bidLevels: 0, askLevels: 0, priceScale: .whole, quantityScale: .whole,
        priceDecimals: .whole, sequence: 7, resyncs: 0, listed: item)
    }
    let early = gate.receive(.value(listed.bookKey, .book(view(nil))), at: now)
    #expect(early.isEmpty && !gate.isOpen && !gate.isUnknown)
    let item = ListedInstrument(
      symbol: key.symbol, base: "LTC", quote: "USDT", kind: .spot, isOpen: true)
    let inputs = gate.receive(.value(listed.bookKey, .book(view(item))), at: now)
    #expect(gate.isOpen && inputs == [.book(view(item), currency: "USDT", lateAt: nil)])
  }
}
