// PT1, PT3, PT7: the price tracker's feed.

import MarketModel
import Testing

@testable import AppState

@Suite struct FeedScreenTests {
  private var screen = FeedScreen()

  init() { screen.take(connection(.echo, .live)) }

  @Test func `PT1 the feed holds 25 stocks and subscribes each quote once`() {
    #expect(screen.state.order.count == 25)
    #expect(Set(screen.state.order).count == 25)
    #expect(screen.state.rows.count == 25)
    #expect(screen.wanted == Set(screen.state.order.map { MarketKey(.echo, .quote, $0) }))
    #expect(screen.state.currency == "USD")
    #expect(screen.state.decimals.digits == 2)
  }

  @Test func `PT1 rows without a price are sorted by name and waiting`() {
    #expect(screen.state.order == screen.state.order.sorted())
    #expect(screen.state.freshness.state == .waiting)
    #expect(screen.state.rows.values.allSatisfy { $0.price == nil && $0.changes == 0 })
  }

  @Test func `PT1 rows are sorted by price, highest first, those without a price last`() throws {
    var screen = screen
    screen.take(try quote(.echo, "MSFT", "420.10"), 0)
    screen.take(try quote(.echo, "AAPL", "189.20"), 1)
    screen.take(try quote(.echo, "TSLA", "1000"), 2)
    screen.pass(to: 1000)
    let order = screen.state.order.map(\.text)
    #expect(Array(order.prefix(4)) == ["TSLA", "MSFT", "AAPL", "ABNB"])
    #expect(Array(order.dropFirst(3)) == order.dropFirst(3).sorted())
  }

  @Test func `PT1 rows are re-sorted at most once a second, values go on updating`() throws {
    var screen = screen
    screen.take(try quote(.echo, "MSFT", "90"), 0)
    screen.take(try quote(.echo, "AAPL", "100"), 0)
    screen.take(try quote(.echo, "MSFT", "200"), 10)
    #expect(screen.state.order.first?.text == "AAPL")
    #expect(screen.state.rows[try symbol("MSFT")]?.price == (try decimal("200")))
    screen.pass(to: 999)
    #expect(screen.state.order.first?.text == "AAPL")
    screen.pass(to: 1000)
    #expect(screen.state.order.first?.text == "MSFT")
    screen.take(try quote(.echo, "AAPL", "300"), 1001)
    #expect(screen.state.order.first?.text == "MSFT")
    screen.pass(to: 2000)
    #expect(screen.state.order.first?.text == "AAPL")
  }

  @Test func `PT1 first prices take their places at once, however soon they follow one another`()
    throws
  {
    var screen = screen
    let prices = ["AAPL": "189", "WMT": "67", "COST": "862", "NFLX": "634", "KO": "63"]
    for (name, price) in prices.sorted(by: { $0.key < $1.key }) {
      screen.take(try quote(.echo, name, price), 5)
    }
    #expect(
      Array(screen.state.order.map(\.text).prefix(5)) == ["COST", "NFLX", "AAPL", "WMT", "KO"])
  }

  @Test func `PT1 equal prices keep their order, also when their scales differ`() throws {
    var screen = screen
    screen.take(try quote(.echo, "WMT", "60.5"), 0)
    screen.pass(to: 1000)
    screen.take(try quote(.echo, "KO", "60.50"), 1000)
    screen.take(try quote(.echo, "AAPL", "60.500"), 1001)
    screen.pass(to: 2001)
    let before = screen.state.order.map(\.text)
    #expect(before.first == "WMT")
    screen.take(try quote(.echo, "TSLA", "1"), 2002)
    screen.pass(to: 3100)
    #expect(Array(screen.state.order.map(\.text).prefix(3)) == Array(before.prefix(3)))
  }

  @Test func `PT1 a row shows its direction and counts changes for the flash of PT7`() throws {
    var screen = screen
    screen.take(try quote(.echo, "AAPL", "189.20", direction: .down, changes: 4))
    let row = try #require(screen.state.rows[try symbol("AAPL")])
    #expect(row.name == "Apple")
    #expect(row.direction == .down)
    #expect(row.changes == 4)
  }

  @Test func `PT2 a quote of another venue, stream or symbol changes nothing`() throws {
    var screen = screen
    let before = screen.state
    screen.take(try quote(.isin, "AAPL", "1"))
    screen.take(try quote(.echo, "NOPE", "1"))
    let aapl = try symbol("AAPL")
    let msft = QuoteView(
      symbol: try symbol("MSFT"), price: try decimal("1"), freshness: fresh(.live))
    screen.take(.value(MarketKey(.echo, .quote, aapl), .quote(msft)))
    #expect(screen.state == before)
  }

  @Test(arguments: [
    (ConnectionPhase.live, ConnectionIndicator.connected), (.subscribing, .connected),
    (.connecting, .connecting), (.handshaking, .connecting), (.awaitingReady, .connecting),
    (.stale, .disconnected), (.backingOff, .disconnected), (.refused, .disconnected),
    (.stopped, .disconnected), (.idle, .disconnected),
  ])
  func `PT3 the top bar shows the connection in one word`(
    phase: ConnectionPhase, word: ConnectionIndicator
  ) {
    var screen = screen
    screen.take(connection(.echo, phase))
    #expect(screen.state.connection == word)
  }

  @Test func `PT3 Stop stops the echo venue once, Start starts it once`() {
    var screen = screen
    #expect(screen.perform(.start, at: at(0)).isEmpty)
    #expect(screen.perform(.stop, at: at(0)) == [.stopVenue(.echo)])
    #expect(!screen.state.running)
    #expect(screen.perform(.stop, at: at(0)).isEmpty)
    screen.take(connection(.echo, .stopped, since: 1))
    #expect(screen.state.connection == .disconnected)
    #expect(screen.perform(.start, at: at(2)) == [.startVenue(.echo)])
    #expect(screen.state.running)
  }

  @Test func `PT3 a status from before Stop does not switch it back`() {
    var screen = screen
    _ = screen.perform(.stop, at: at(0))
    screen.take(connection(.echo, .live), 10)
    #expect(!screen.state.running)
    screen.take(connection(.echo, .stopped, since: 20), 20)
    screen.take(connection(.echo, .connecting, since: 30), 30)
    #expect(screen.state.running, "somebody else started it")
    _ = screen.perform(.stop, at: at(100))
    screen.take(connection(.echo, .live), 2100)
    #expect(screen.state.running, "the wish was not granted; say what is true")
  }

  @Test func `PT3 another page's Stop and Start show here too`() {
    var screen = screen
    screen.take(connection(.echo, .stopped, since: 5))
    #expect(!screen.state.running)
    screen.take(connection(.echo, .connecting, since: 6))
    #expect(screen.state.running)
  }

  @Test func `PT3 a lost connection keeps the prices and calls them disconnected`() throws {
    var screen = screen
    screen.take(try quote(.echo, "AAPL", "189.20", fresh(.live, 100)), 100)
    #expect(screen.state.freshness.state == .live)
    screen.take(connection(.echo, .backingOff, since: 200), 200)
    #expect(screen.state.freshness.state == .disconnected)
    #expect(screen.state.freshness.confirmedAt == at(100))
    #expect(screen.state.rows[try symbol("AAPL")]?.price == (try decimal("189.20")))
    screen.take(connection(.echo, .live, since: 300), 300)
    #expect(screen.state.freshness.state == .stale, "the price is from before the outage")
    screen.take(try quote(.echo, "AAPL", "189.20", fresh(.live, 400)), 400)
    #expect(screen.state.freshness.state == .live)
  }

  @Test func `the feed is as fresh as its least trustworthy price`() throws {
    var screen = screen
    screen.take(try quote(.echo, "AAPL", "1", fresh(.live, 900)), 900)
    screen.take(try quote(.echo, "MSFT", "1", fresh(.late, 500)), 900)
    screen.take(try quote(.echo, "KO", "1", fresh(.late, 300)), 900)
    #expect(screen.state.freshness == fresh(.late, 300))
  }
}
