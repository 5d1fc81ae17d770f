// One product of the simulated BUX venue as it trades: one price for the REST answer and the feed.

import MarketModel
import WireJSON

/// A product's prices, which walk near where they began.
struct BuxProductState: Sendable {
  /// What never changes about it.
  let listing: BuxListing
  /// The price of REST answers and quotes, in units of the listing's scale.
  private(set) var current: Int64
  /// When its next quote is due.
  private(set) var due: Timestamp
  private let closing: Int64
  private let yearHigh: Int64
  private let yearLow: Int64
  private var high: Int64
  private var low: Int64
  private var random: SplitMix64

  /// Starts trading at `start`; its randomness comes from the seed and its identifier alone.
  init(_ listing: BuxListing, seed: UInt64, start: Timestamp) {
    self.listing = listing
    random = SplitMix64(seed: SeedText.seed(seed, listing.identifier))
    current = listing.start
    closing = max(1, listing.start + random.bell(listing.start / 120 + 1))
    high = max(current, closing) + random.below(listing.start / 200 + 1)
    low = min(current, closing) - random.below(listing.start / 200 + 1)
    yearHigh = high + random.below(listing.start / 5 + 1)
    yearLow = max(1, low - random.below(listing.start / 5 + 1))
    due = start.adding(milliseconds: random.below(1000))
  }

  /// Moves the price for the quote that is due (one in five repeats it) and plans the next.
  mutating func quote() {
    due = due.adding(milliseconds: 500 + random.below(501))
    if random.chance(1, of: 5) { return }
    let pull = (listing.start - current) / 200
    let step = random.bell(max(2, listing.start / 8000)) + pull
    current = min(max(current + step, max(1, listing.start / 2)), listing.start * 2)
    high = max(high, current)
    low = min(low, current)
  }

  /// Gives up the quotes before `time`: the price stands still during a long pause.
  mutating func skip(to time: Timestamp) {
    if due < time { due = time }
  }

  /// Writes the product as the REST answer has it.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("symbol", listing.symbol)
    writer.member("displayName", listing.name)
    writer.member("securityId", listing.identifier)
    writer.member("quoteCurrency", listing.currency)
    writer.key("displayDecimals")
    writer.integer(listing.decimals)
    writer.key("maxLeverage")
    writer.integer(listing.category == .stocks ? 5 : 20)
    writer.key("multiplier")
    writer.integer(listing.category == .stocks ? 100 : 1)
    writeAmount("currentPrice", current, to: &writer)
    writeAmount("closingPrice", closing, to: &writer)
    writeRange("dayRange", high: high, low: low, to: &writer)
    writeRange("yearRange", high: max(yearHigh, high), low: min(yearLow, low), to: &writer)
    writer.key("openingHours")
    writer.raw(BuxOpeningHours.json(of: listing.category))
    writer.member("category", listing.category.rawValue)
    writer.key("favorite")
    writer.boolean(false)
    writer.member("productMarketStatus", listing.isOpen ? "OPEN" : "CLOSED")
    writer.key("tags")
    writer.beginArray()
    writer.string(listing.category.rawValue)
    writer.endArray()
    writer.endObject()
  }

  /// The price as quotes have it: a string with exactly the listing's digits.
  func writeCurrentPrice(to writer: inout JSONWriter) {
    writer.decimalString(FixedDecimal(units: current, scale: listing.scale))
  }

  private func writeAmount(_ key: StaticString, _ units: Int64, to writer: inout JSONWriter) {
    writer.key(key)
    writer.beginObject()
    writeCurrency(to: &writer)
    writer.key("amount")
    writer.decimalString(FixedDecimal(units: units, scale: listing.scale))
    writer.endObject()
  }

  private func writeRange(
    _ key: StaticString, high: Int64, low: Int64, to writer: inout JSONWriter
  ) {
    writer.key(key)
    writer.beginObject()
    writeCurrency(to: &writer)
    writer.key("high")
    writer.decimalString(FixedDecimal(units: high, scale: listing.scale))
    writer.key("low")
    writer.decimalString(FixedDecimal(units: low, scale: listing.scale))
    writer.endObject()
  }

  private func writeCurrency(to writer: inout JSONWriter) {
    writer.member("currency", listing.currency)
    writer.key("decimals")
    writer.integer(listing.decimals)
  }
}

/// Opening hours in the shape of the real answers: seven days, Sunday first.
enum BuxOpeningHours {
  /// The value of `openingHours` for a group of products.
  static func json(of category: BuxListing.Category) -> StaticString {
    switch category {
    case .stocks:
      """
      {"timezone":"Europe/Amsterdam","weekDays":[[],[{"start":"09:02","end":"17:29"}],\
      [{"start":"09:02","end":"17:29"}],[{"start":"09:02","end":"17:29"}],\
      [{"start":"09:02","end":"17:29"}],[{"start":"09:02","end":"17:29"}],[]]}
      """
    case .indices, .forex, .commodities:
      """
      {"timezone":"America/New_York","weekDays":[[{"start":"18:00","end":"00:00"}],\
      [{"start":"00:00","end":"17:00"},{"start":"18:00","end":"00:00"}],\
      [{"start":"00:00","end":"17:00"},{"start":"18:00","end":"00:00"}],\
      [{"start":"00:00","end":"17:00"},{"start":"18:00","end":"00:00"}],\
      [{"start":"00:00","end":"17:00"},{"start":"18:00","end":"00:00"}],\
      [{"start":"00:00","end":"17:00"}],[]]}
      """
    }
  }
}
