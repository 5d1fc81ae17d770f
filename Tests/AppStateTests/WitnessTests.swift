// LT2 in the render model: which streams confirm the prices, and why a book is refetched.

import MarketModel
import Testing

@testable import AppState

@Suite struct WitnessTests {
  private let pair: Symbol
  private let dissent = WitnessDissent(
    .ticker, .bid, said: FixedDecimal(units: 441_205, scale: Scale(clamping: 1)),
    against: FixedDecimal(units: 441_210, scale: Scale(clamping: 1)))

  init() throws { pair = try symbol("BTC/USD") }

  private func shown(
    _ witnesses: WitnessReport?, status: BookStatus = .synced, doubt: BookDoubt? = nil
  ) -> BookState {
    var screen = BookScreen(symbol: pair)
    screen.take(connection(.kraken, .live))
    let view = BookView(
      symbol: pair, status: status, freshness: fresh(status == .synced ? .live : .resyncing),
      bids: [], asks: [], bidLevels: 0, askLevels: 0, priceScale: Scale(clamping: 1),
      quantityScale: .whole, priceDecimals: Scale(clamping: 1), sequence: 1, resyncs: 0,
      doubt: doubt, witnesses: witnesses)
    screen.take(.value(MarketKey(.kraken, .book, pair), .book(view)))
    return screen.state
  }

  private func words(_ state: BookState) -> Sentence? { WitnessText.words(state) { "\($0)" } }

  @Test func `the text counts agreeing streams, or names a mismatch`() {
    #expect(words(shown(nil)) == nil)
    let three: [Witness] = [.book, .ticker, .trades]
    #expect(words(shown(WitnessReport(three))) == "3 of 3 agree")
    #expect(
      words(shown(WitnessReport(three, dissents: [dissent]))) == "2 of 3: ticker says 44120.5")
    let nothing = WitnessDissent(.quote, .ask, said: nil, against: nil)
    #expect(
      words(shown(WitnessReport([.book, .quote], dissents: [nothing])))
        == "1 of 2: quote says no price")
    #expect(WitnessReport([.book]) == nil)
  }

  @Test func `an invalid book has no cross-check`() {
    let state = shown(WitnessReport([.book, .ticker]), status: .resyncing, doubt: .audit)
    #expect(words(state) == nil)
  }

  @Test(arguments: BookDoubt.allCases)
  func `the truth strip receives the reason for a refetch`(doubt: BookDoubt) {
    #expect(shown(nil, status: .resyncing, doubt: doubt).truth?.cause == doubt.words)
    #expect(shown(nil).truth?.cause == nil)
  }

  @Test func `the list of connections names mismatching streams by symbol`() {
    var screen = StatusScreen(venues: [.kraken])
    var status = ConnectionStatus(
      venue: .kraken, origin: .simulated, since: ClockReading(milliseconds: 0))
    status.note([dissent], of: pair)
    status.note([dissent], of: Symbol(known: "AAA/USD"))
    screen.take(.connection(status))
    #expect(screen.state.venues[.kraken]?.dissents.map(\.symbol.text) == ["AAA/USD", "BTC/USD"])
    status.note([], of: pair)
    screen.take(.connection(status))
    #expect(screen.state.venues[.kraken]?.dissents.map(\.symbol.text) == ["AAA/USD"])
  }

  @Test func `the dissents that are kept are bounded`() throws {
    var status = ConnectionStatus(
      venue: .kraken, origin: .simulated, since: ClockReading(milliseconds: 0))
    for number in 0..<100 { status.note([dissent], of: try symbol("S\(number)")) }
    #expect(status.dissents.count == ConnectionStatus.maximumDissents)
    status.note([], of: Symbol(known: "S3"))
    #expect(status.dissents.count == ConnectionStatus.maximumDissents - 1)
  }
}
