// OB3, OB4: the order book's screen.

import MarketModel
import Testing

@testable import AppState

@Suite struct BookScreenTests {
  private let xbt: Symbol
  private var screen: BookScreen

  init() throws {
    xbt = try symbol("XBTUSD")
    screen = BookScreen(symbol: xbt)
    screen.take(connection(.bitmex, .live))
  }

  private func input(_ view: BookView) -> ScreenInput {
    .value(MarketKey(.bitmex, .book, view.symbol), .book(view))
  }

  private func small() throws -> BookView {
    bookView(
      xbt,
      bids: try rows(
        """
        32180.5 1046200
        32180.0 1000
        32179.5 500
        """),
      asks: try rows(
        """
        32181.0 300
        32182.0 2000
        """))
  }

  @Test func `OB3 OB4 rows show price, contracts, XBT and one bar scale for both sides`() throws {
    var screen = screen
    screen.take(input(try small()))
    #expect(
      screen.state.table == """
        bid 32180.5 1046200 32.5104 999
        bid 32180.0 1000 0.0311 1000
        bid 32179.5 500 0.0155 1000
        ask 32181.0 300 0.0093 0
        ask 32182.0 2000 0.0621 2
        """)
    #expect(screen.state.spread?.description == "0.5")
    #expect(screen.state.priceDecimals?.digits == 1)
    #expect([screen.state.bidLevels, screen.state.askLevels, screen.state.resyncs] == [3, 2, 2])
    #expect(screen.state.sequence == 7)
    #expect(screen.state.status == .synced)
    #expect(screen.state.freshness == fresh(.live))
  }

  @Test func `OB4 the longest bar is the larger side's last row, on whichever side`() throws {
    var screen = screen
    screen.take(
      input(
        bookView(
          xbt, bids: try rows("10.0 1\n9.0 1"), asks: try rows("11.0 1\n12.0 1\n13.0 1\n14.0 1"))))
    #expect(screen.state.bids.map(\.barThousandths) == [250, 500])
    #expect(screen.state.asks.map(\.barThousandths) == [250, 500, 750, 1000])
  }

  @Test func `OB4 bars never leave 0 to 1000, whatever the sizes are`() throws {
    var screen = screen
    let extremes: [Int64] = [.min, -1, 0, 1, .max]
    let hostile = extremes.flatMap { size in
      extremes.map {
        BookRow(
          price: Price(units: $0), size: Quantity(units: size), accumulated: Quantity(units: $0))
      }
    }
    screen.take(input(bookView(xbt, bids: hostile, asks: hostile.reversed())))
    let bars = (screen.state.bids + screen.state.asks).map(\.barThousandths)
    #expect(bars.allSatisfy { (0...1000).contains($0) })
  }

  @Test func `OB3 never more than 20 rows a side`() throws {
    var screen = screen
    let many = try rows((1...30).map { "\(100 - $0).0 1" }.joined(separator: "\n"))
    screen.take(input(bookView(xbt, bids: many, asks: many.reversed())))
    #expect(screen.state.bids.count == 20)
    #expect(screen.state.asks.count == 20)
    #expect(screen.state.bids.last?.barThousandths ?? 0 < 1000, "hidden rows are not the scale")
  }

  @Test func `OB3 prices keep all digits when the decimals to show would lose some`() throws {
    var screen = screen
    screen.take(input(bookView(xbt, bids: try rows("10.5 1\n10.0 1"), asks: [], priceDecimals: 0)))
    #expect(screen.state.bids.map(\.price.description) == ["10.5", "10"])
  }

  @Test func `OB3 there is no spread without both sides, nor in a crossed book`() throws {
    var screen = screen
    screen.take(input(bookView(xbt, bids: try rows("10.0 1"), asks: [])))
    #expect(screen.state.spread == nil)
    screen.take(input(bookView(xbt, bids: try rows("10.0 1"), asks: try rows("9.5 1"))))
    #expect(screen.state.spread == nil)
    screen.take(input(bookView(xbt, bids: try rows("10.0 1"), asks: try rows("10.0 1"))))
    #expect(screen.state.spread?.description == "0.0")
  }

  @Test func `OB3 a quanto contract has no size in its base currency`() throws {
    let eth = try symbol("ETHUSD")
    var screen = BookScreen(symbol: eth)
    screen.take(input(bookView(eth, bids: try rows("3000.0 10"), asks: [])))
    #expect(screen.state.table == "bid 3000.0 10 - 1000")
  }

  @Test(arguments: [FreshnessState.live, .late, .stale, .closed])
  func `a book that resyncs is never shown as live`(state: FreshnessState) throws {
    var screen = screen
    screen.take(input(bookView(xbt, bids: [], asks: [], status: .resyncing, fresh(state))))
    #expect(screen.state.freshness.state == .resyncing)
    screen.take(input(bookView(xbt, bids: [], asks: [], status: .waiting, fresh(state))))
    #expect(screen.state.freshness.state == .waiting)
    screen.take(input(bookView(xbt, bids: [], asks: [], status: .synced, fresh(state))))
    #expect(screen.state.freshness.state == state)
  }

  @Test func `a lost connection keeps the book, marked disconnected`() throws {
    var screen = screen
    screen.take(input(try small()), 10)
    screen.take(connection(.bitmex, .backingOff, since: 20), 20)
    #expect(screen.state.bids.count == 3)
    #expect(screen.state.freshness.state == .disconnected)
    screen.take(connection(.echo, .live, since: 30), 30)
    #expect(screen.state.freshness.state == .disconnected, "another venue's connection")
  }

  @Test func `OB1 a screen subscribes its instrument's book and accepts no other`() throws {
    var screen = screen
    #expect(screen.wanted == [MarketKey(.bitmex, .book, xbt)])
    let eth = try symbol("ETHUSD")
    screen.take(input(bookView(eth, bids: try rows("1.0 1"), asks: [])))
    screen.take(
      .value(
        MarketKey(.bitmex, .book, xbt),
        .book(bookView(eth, bids: try rows("1.0 1"), asks: []))))
    #expect(screen.state.bids.isEmpty)
    #expect(screen.state.freshness.state == .waiting)
  }

  @Test func `an unknown symbol is marked and subscribes nothing`() throws {
    var screen = BookScreen(symbol: try symbol("NO*PE"))
    #expect(screen.state.instrument == nil)
    #expect(screen.wanted.isEmpty)
    screen.take(connection(.bitmex, .live))
    #expect(screen.state.freshness.state == .waiting)
  }

  @Test func `a grouped book is a stream of its own and shows the book's own spread`() throws {
    let grouping = try #require(PriceGrouping(ticks: 5))
    var screen = BookScreen(symbol: xbt, grouping: grouping)
    let key = MarketKey(.bitmex, Subscription(.book, xbt, grouping: grouping))
    #expect(screen.wanted == [key])
    screen.take(connection(.bitmex, .live))
    screen.take(input(try small()))
    #expect(screen.state.bids.isEmpty, "the book of single prices is another one")
    let view = BookView(
      symbol: xbt, status: .synced, freshness: fresh(.live), bids: try rows("32180.0 1046700"),
      asks: try rows("32182.5 2300"), bidLevels: 3, askLevels: 2, priceScale: Scale(clamping: 1),
      quantityScale: .whole, priceDecimals: Scale(clamping: 1), sequence: 7, resyncs: 0,
      grouping: grouping, tick: Price(units: 5),
      top: BookTop(bid: Price(units: 321_805), ask: Price(units: 321_810)))
    screen.take(.value(key, .book(view)))
    #expect(screen.state.bids.map(\.price.description) == ["32180.0"])
    #expect(screen.state.spread?.description == "0.5")
    #expect(screen.state.spreadBasisPoints?.description == "0.16")
    #expect(screen.state.grouping == grouping)
    let steps = screen.state.groupings.map { "\($0.grouping.ticks)=\($0.step)" }
    #expect(
      steps == [
        "1=0.5", "2=1", "5=2.5", "10=5", "25=12.5", "50=25", "100=50", "250=125", "500=250",
        "1000=500",
      ])
  }

  @Test func `each row has the total, its cost and the average down to it`() throws {
    var screen = screen
    screen.take(input(try small()))
    let row = screen.state.bids[2]
    #expect(row.total.description == "1047700")
    #expect(row.sizeThousandths == 0)
    #expect(screen.state.bids[0].sizeThousandths == 999)
    #expect(row.cost?.description == "32.5570")
    #expect(row.average?.description == "32180.4", "rounded down: that much at least")
    #expect(screen.state.asks[1].average?.description == "32181.9")
    #expect(screen.state.bidThousandths == 998)
  }
}
