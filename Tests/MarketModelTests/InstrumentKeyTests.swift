// The text of an instrument among all venues, and of a venue's stream as a whole.

import MarketModel
import Testing

struct InstrumentKeyTests {
  @Test func `an instrument is written as its venue and its symbol`() throws {
    let pair = InstrumentKey(.kraken, Symbol(known: "BTC/USD"))
    #expect(pair.text == "kraken/BTC/USD")
    #expect(InstrumentKey(text: "kraken/BTC/USD") == pair)
    #expect(InstrumentKey(text: "kraken:BTC/USD") == pair)
    #expect(InstrumentKey(text: "kraken/AAPLx/USD")?.symbol.text == "AAPLx/USD")
  }

  @Test(arguments: [
    "", "/", "kraken", "kraken/", "nobody/BTC/USD", "Kraken/BTC/USD", "kraken/BTC USD",
    "kraken/\u{e9}", "kraken/" + String(repeating: "A", count: 49),
    "kraken/" + String(repeating: "A", count: 200),
  ])
  func `what names no venue or no symbol is no instrument`(_ text: String) {
    #expect(InstrumentKey(text: text) == nil)
  }

  @Test func `the stream of a venue's instruments is shared`() {
    let key = MarketKey.listing(of: .kraken)
    #expect(key.venue == .kraken && key.subscription == .listing)
    #expect(key.subscription.channel == .listing && key.subscription.symbol.text == "*")
  }
}
