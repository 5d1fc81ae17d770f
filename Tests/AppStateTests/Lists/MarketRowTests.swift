// Search: each typed word must begin a word of the row.

import MarketModel
import Testing

@testable import AppState

struct MarketRowTests {
  private func row(_ id: String, _ name: String, base: String, quote: String) throws -> MarketRow {
    MarketRow(
      try #require(InstrumentKey(text: id)), name: name, kind: .spot, base: base, quote: quote)
  }

  @Test(arguments: [
    ("", true), ("   ", true), ("ada", true), ("ADA/usd", true), ("adausd", true),
    ("cardano", true),
    ("CARD", true), ("dollar kraken", true), ("us doll", true), ("usd card", true),
    ("dano", false), ("cardano eur", false), ("bitmex", false), ("cardanoo", false), ("/", false),
  ])
  func `cardano is found by`(_ query: String, _ isFound: Bool) throws {
    let row = try row("kraken/ADA/USD", "Cardano / US dollar", base: "ADA", quote: "USD")
    #expect(row.matches(query) == isFound)
  }

  @Test func `accents and apostrophes make no difference`() throws {
    let nestle = try row("isin/CH0038863350", "Nestlé", base: "CH0038863350", quote: "EUR")
    #expect(nestle.matches("nestle") && nestle.matches("NESTLÉ") && nestle.matches("nestle\u{301}"))
    let burgers = try row("isin/US5801351017", "McDonald's", base: "US5801351017", quote: "EUR")
    #expect(burgers.matches("mcdonalds") && burgers.matches("McDonald’s"))
    let street = try row("isin/DE0", "Straße Łódź", base: "DE0", quote: "EUR")
    #expect(street.matches("strasse lodz"))
  }

  @Test func `of a long query a hundred characters count`() throws {
    let row = try row("kraken/ADA/USD", "Cardano", base: "ADA", quote: "USD")
    #expect(row.matches(String(repeating: " ", count: 100) + "nonsense"))
    #expect(!row.matches(String(repeating: "a", count: 1_000_000)))
  }

  @Test func `known codes have names, unknown ones are shown as they are`() {
    #expect(AssetNames.name("ADA") == "Cardano")
    #expect(AssetNames.name("AAPLx") == "Apple")
    #expect(AssetNames.name("BRK.Bx") == "Berkshire Hathaway")
    #expect(AssetNames.name("EUR") == "Euro")
    #expect(AssetNames.name("NOPE") == "NOPE")
    #expect(AssetNames.name("") == "")
  }

  @Test func `a token is spelled with its small x, however it is typed`() {
    #expect(AssetNames.token("aaplx") == "AAPLx" && AssetNames.token("BRK.BX") == "BRK.Bx")
    #expect(AssetNames.token("AVAX") == nil && AssetNames.token("") == nil)
    #expect(AssetNames.token(String(repeating: "a", count: 100_000)) == nil)
  }
}
