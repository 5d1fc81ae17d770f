// WL4, PD3, PT7: state as native text: numbers in a locale, ages, flashes.

import Foundation
import MarketModel
import Testing

@testable import AppState

@Suite struct FormattingTests {
  @Test(arguments: [
    ("en_US", "USD", 2, "-1234567.89", "-$1,234,567.89"),
    ("nl_NL", "EUR", 2, "-1234567.89", "€\u{a0}-1.234.567,89"),
    ("de_DE", "EUR", 2, "1234567.89", "1.234.567,89\u{a0}€"),
    ("fr_FR", "EUR", 2, "1234567.89", "1\u{202f}234\u{202f}567,89\u{a0}€"),
    ("hi_IN", "INR", 2, "1234567.89", "₹12,34,567.89"),
    ("en_US", "EUR", 1, "12352.8", "€12,352.8"),
    ("en_US", "USD", 5, "1.18", "$1.18000"),
    ("en_US", "EUR", 2, "257.11937852675885", "€257.12"),
    ("en_US", "EUR", 2, "0.125", "€0.12"), ("en_US", "EUR", 2, "0.135", "€0.14"),
    ("en_US", "EUR", 2, "9999999999999.99", "€9,999,999,999,999.99"),
    ("en_US", "EUR", 0, "9223372036854775807", "9223372036854775807 EUR"),
  ])
  func `WL4 PD3 a price is formatted as currency in the reader's locale`(
    locale: String, currency: String, decimals: UInt8, price: String, expected: String
  ) throws {
    let formatter = PriceFormatter(
      currency: currency, decimals: Scale(clamping: decimals), locale: Locale(identifier: locale))
    #expect(formatter.string(from: try decimal(price)) == expected)
  }

  @Test(arguments: [
    ("en_US", "2.94", "+2.94%"), ("en_US", "-33.33", "-33.33%"), ("en_US", "0.00", "0.00%"),
    ("de_DE", "50.00", "+50,00\u{a0}%"), ("de_DE", "1234.5", "+1.234,50\u{a0}%"),
  ])
  func `PD3 a percentage carries its sign`(locale: String, percent: String, expected: String) throws
  {
    let formatter = PercentFormatter(locale: Locale(identifier: locale))
    #expect(formatter.string(from: try decimal(percent)) == expected)
  }

  @Test(arguments: [
    ("en_US", "1046200", "1,046,200"), ("en_US", "0.0311", "0.0311"),
    ("de_DE", "32.5100", "32,5100"),
  ])
  func `OB3 a size keeps the digits of its scale`(
    locale: String, amount: String, expected: String
  ) throws {
    let formatter = AmountFormatter(locale: Locale(identifier: locale))
    #expect(formatter.string(from: try decimal(amount)) == expected)
    #expect(formatter.string(from: try decimal("7")) == "7", "each scale has its own")
    #expect(formatter.string(from: try decimal(amount)) == expected)
  }

  @Test(
    arguments: [
      (-5, "just now"), (0, "just now"), (999, "just now"), (1000, "1 s ago"),
      (119_999, "119 s ago"),
      (120_000, "2 min ago"), (7_200_000, "2 h ago"), (172_800_000, "2 days ago"),
    ] as [(Int64, String)])
  func `LT1 an age is formatted as text`(milliseconds: Int64, expected: String) {
    #expect(AgeText.since(at(10_000), at: at(10_000 + milliseconds)).description == expected)
  }

  @Test func `PT7 a price flashes for one second when its count rises, not at first`() {
    var flash = FlashTracker()
    flash.update(changes: 4, direction: .up, freshness: .live, at: at(0))
    #expect(!flash.isFlashing(at: at(0)))
    flash.update(changes: 4, direction: .up, freshness: .live, at: at(50))
    #expect(!flash.isFlashing(at: at(50)), "a message without a change")
    flash.update(changes: 5, direction: .down, freshness: .live, at: at(100))
    #expect(flash.direction == .down)
    #expect(flash.endsAt == at(1100).monotonic)
    #expect(flash.isFlashing(at: at(1099)))
    #expect(!flash.isFlashing(at: at(1100)))
  }

  @Test func `PT7 a later flash runs its own second, ticks within 100 ms are one`() {
    var flash = FlashTracker()
    flash.update(changes: 0, direction: .unchanged, freshness: .live, at: at(0))
    flash.update(changes: 1, direction: .up, freshness: .live, at: at(100))
    flash.update(changes: 2, direction: .up, freshness: .live, at: at(199))
    #expect(!flash.isFlashing(at: at(1100)))
    flash.update(changes: 3, direction: .up, freshness: .live, at: at(1000))
    #expect(flash.isFlashing(at: at(1999)))
  }

  @Test func `UX a value that is not in time does not flash`() {
    var flash = FlashTracker(durationMilliseconds: FlashTracker.tradeMilliseconds)
    flash.update(changes: 1, direction: .up, freshness: .live, at: at(0))
    flash.update(changes: 2, direction: .up, freshness: .live, at: at(10))
    #expect(flash.isFlashing(at: at(20)))
    flash.update(changes: 3, direction: .up, freshness: .disconnected, at: at(20))
    #expect(!flash.isFlashing(at: at(20)))
    flash.update(changes: 3, direction: .up, freshness: .live, at: at(30))
    #expect(!flash.isFlashing(at: at(30)))
  }
}
