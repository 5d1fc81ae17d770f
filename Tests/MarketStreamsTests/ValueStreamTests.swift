// LT1: a value's freshness, whatever its kind.

import MarketModel
import MarketStreams
import Testing

@Suite struct ValueStreamTests {
  private func book(_ status: BookStatus, _ state: FreshnessState, confirmed: Int64 = 0) throws
    -> BookView
  {
    BookView(
      symbol: try symbol("XBTUSD"), status: status, freshness: fresh(state, confirmed), bids: [],
      asks: [], bidLevels: 0, askLevels: 0, priceScale: .whole, quantityScale: .whole,
      priceDecimals: .whole, sequence: 1, resyncs: 0)
  }

  private func books() throws -> BookStream {
    BookStream(MarketKey(.bitmex, .book, try symbol("XBTUSD")), origin: .simulated)
  }

  @Test func `before the first value a stream waits, with its venue's origin`() throws {
    var stream = try books()
    #expect(stream.freshness == .waiting(.simulated))
    var status = connection(.bitmex, .live)
    status.origin = .custom
    let isTaken = stream.receive(.connection(status))
    #expect(isTaken)
    #expect(stream.freshness == .waiting(.custom))
  }

  @Test(
    "a book that is not synced is never called live",
    arguments: [
      (BookStatus.synced, FreshnessState.live, FreshnessState.live),
      (.resyncing, .live, .resyncing), (.resyncing, .late, .resyncing),
      (.waiting, .live, .waiting), (.resyncing, .disconnected, .disconnected),
      (.synced, .stale, .stale),
    ])
  func books(status: BookStatus, own: FreshnessState, shown: FreshnessState) throws {
    var stream = try books()
    let isTaken = stream.receive(.value(stream.key, .book(try book(status, own))))
    #expect(isTaken)
    #expect(stream.freshness.state == shown)
  }

  @Test func `a value from before an outage is stale until the venue confirms it again`() throws {
    var stream = try books()
    _ = stream.receive(.connection(connection(.bitmex, .live)))
    _ = stream.receive(.value(stream.key, .book(try book(.synced, .live, confirmed: 1000))))
    _ = stream.receive(.connection(connection(.bitmex, .backingOff, since: 2000)))
    #expect(stream.freshness.state == .disconnected)
    _ = stream.receive(.connection(connection(.bitmex, .live, since: 3000)))
    #expect(stream.freshness.state == .stale)
    _ = stream.receive(.value(stream.key, .book(try book(.synced, .live, confirmed: 4000))))
    #expect(stream.freshness.state == .live)
  }

  @Test func `what is on its way for long is late, however evenly it comes`() throws {
    var stream = try books()
    var status = connection(.bitmex, .live)
    status.delayMilliseconds = 2000
    for (own, shown) in [
      (FreshnessState.live, FreshnessState.late), (.late, .late), (.stale, .stale),
      (.closed, .closed), (.waiting, .waiting),
    ] {
      _ = stream.receive(.connection(status))
      _ = stream.receive(.value(stream.key, .book(try book(.synced, own))))
      #expect(stream.freshness.state == shown)
    }
    _ = stream.receive(.value(stream.key, .book(try book(.synced, .live, confirmed: 9000))))
    #expect(stream.freshness.state == .late)
    let confirmed = try #require(stream.freshness.confirmedAt)
    #expect(confirmed == ClockReading(milliseconds: 7000), "as old as it may be")
    status.delayMilliseconds = nil
    _ = stream.receive(.connection(status))
    #expect(stream.freshness.state == .live)
  }

  @Test func `values of other streams, kinds and instruments change nothing`() throws {
    var stream = try books()
    let other = MarketKey(.bitmex, .book, try symbol("ETHUSD"))
    let isOthers = stream.receive(.value(other, .book(try book(.synced, .live))))
    #expect(!isOthers)
    let quote = QuoteView(symbol: try symbol("XBTUSD"), price: nil, freshness: fresh(.live))
    let isQuote = stream.receive(.value(stream.key, .quote(quote)))
    #expect(!isQuote)
    var quotes = QuoteStream(MarketKey(.isin, .quote, try symbol("ETHUSD")), origin: .venue)
    let isWrong = quotes.receive(.value(quotes.key, .quote(quote)))
    #expect(!isWrong, "of another instrument than the stream")
    let isForeign = quotes.receive(.connection(connection(.bux, .live)))
    #expect(!isForeign)
    #expect(quotes.value == nil && stream.value == nil)
  }

  @Test func `of a quote with a price there are figures, and its freshness is theirs`() throws {
    let share = try symbol("US0378331005")
    var stream = FiguresStream(MarketKey(.isin, .quote, share), origin: .venue)
    let nothing = QuoteView(symbol: share, price: nil, freshness: fresh(.live))
    let isTaken = stream.receive(.value(stream.key, .quote(nothing)))
    #expect(!isTaken && stream.value == nil)
    let quote = QuoteView(
      symbol: share, price: try decimal("10.5"), direction: .down, changes: 2,
      freshness: fresh(.late))
    _ = stream.receive(.value(stream.key, .quote(quote)))
    #expect(stream.value?.last == quote.price && stream.value?.direction == .down)
    #expect(stream.value?.changes == 2 && stream.freshness == quote.freshness)
  }

  @Test func `figures of what the venue refuses are waited for, up or down`() throws {
    let nope = try symbol("NOPE/USD")
    var stream = FiguresStream(MarketKey(.kraken, .figures, nope), origin: .simulated)
    let refused = DayFigures(symbol: nope, freshness: fresh(.live), isKnown: false)
    _ = stream.receive(.value(stream.key, .figures(refused)))
    #expect(stream.freshness == .waiting(refused.freshness.origin))
    _ = stream.receive(.connection(connection(.kraken, .backingOff, since: 9)))
    #expect(stream.freshness.state == .waiting)
  }
}
