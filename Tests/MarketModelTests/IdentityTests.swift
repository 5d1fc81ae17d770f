// Names from outside are bounded; subscriptions sort; random numbers are the same everywhere.

import MarketModel
import Testing

struct IdentityTests {
  @Test(arguments: ["A", "XBTUSD", "US0378331005", "sb26493", "BTC/USD", "{productId}", "~", "!"])
  func `a symbol is 1 to 48 printable ASCII characters`(text: String) {
    #expect(Symbol(text)?.text == text && Symbol(text)?.description == text)
  }

  @Test(arguments: [
    "", " ", "a b", "a\"b", "a\\b", "a\nb", "\u{7f}", "é", "\u{0}", "a\u{301}", "🙂",
  ])
  func `anything else is invalid`(text: String) { #expect(Symbol(text) == nil) }

  @Test func `48 bytes are a symbol, 49 are not`() {
    #expect(Symbol(String(repeating: "A", count: 48)) != nil)
    #expect(Symbol(String(repeating: "A", count: 49)) == nil)
  }

  @Test func `a name in the source is a valid symbol`() {
    #expect(Symbol(known: "XBTUSD") == Symbol("XBTUSD"))
    #expect(Symbol(known: "BTC/USD").text == "BTC/USD")
  }

  @Test func `a venue is known by its short name alone, and none other is`() {
    for venue in Venue.allCases {
      #expect(Venue(rawValue: venue.description) == venue && "\(venue)" == venue.rawValue)
    }
    for name in ["", "Kraken", "nowhere", "kraken "] { #expect(Venue(rawValue: name) == nil) }
  }

  @Test func `symbols, subscriptions and venues have a stable order`() throws {
    let (a, b) = (try #require(Symbol("A")), try #require(Symbol("B")))
    let wanted: Set = [
      Subscription(.trades, a), Subscription(.book, b), Subscription(.book, a),
      Subscription(.quote, a),
    ]
    #expect(
      wanted.sorted() == [
        Subscription(.book, a), Subscription(.quote, a), Subscription(.trades, a),
        Subscription(.book, b),
      ])
    #expect(Venue.bitmex < Venue.bux && Venue.bux.description == "bux")
    #expect(MarketKey(.isin, .quote, a) == MarketKey(.isin, Subscription(.quote, a)))
  }

  @Test func `SplitMix64 gives the published sequence`() {
    var generator = SplitMix64(seed: 1_234_567)
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    #expect((0..<5).map { _ in generator.next() } == expected)
    var zero = SplitMix64(seed: 0)
    #expect(zero.next() == 0xe220_a839_7b1d_cdaf)
    #expect(zero.next() == 0x6e78_9e6a_a1b9_65f4)
  }

  @Test func `below stays below and reaches every value`() {
    var generator = SplitMix64(seed: 3)
    var counts = Array(repeating: 0, count: 7)
    for _ in 0..<7_000 { counts[Int(generator.below(7))] += 1 }
    #expect(counts.allSatisfy { (850...1150).contains($0) }, "seed 3: \(counts)")
    #expect(generator.below(1) == 0)
    #expect((0..<Int64.max).contains(generator.below(.max)))
  }
}
