import MarketModel
import OrderMatching
import WireJSON

/// One product of the simulated BUX venue: its instrument, and when it quotes.
struct BuxProductState: Sendable {
  let listing: BuxListing
  /// The index of its instrument in the market.
  let instrument: Int
  private(set) var due: Timestamp
  private var random: SplitMix64

  /// Starts quoting at `start`; its randomness depends only on the seed and its identifier.
  init(_ listing: BuxListing, instrument: Int, seed: UInt64, start: Timestamp) {
    self.listing = listing
    self.instrument = instrument
    random = SplitMix64(seed: SeedText.seed(seed, listing.identifier))
    due = start.adding(milliseconds: random.below(1000))
  }

  mutating func planNext() { due = due.adding(milliseconds: 500 + random.below(501)) }

  mutating func skip(to time: Timestamp) {
    if due < time { due = time }
  }
}

/// A product's prices at one moment, in units of its scale.
struct BuxPrices: Sendable {
  private static let microsecondsPerDay: Int64 = 86_400_000_000

  /// The middle of the best prices, as in quotes and REST responses.
  let current: Int64
  let closing: Int64
  let day: (low: Int64, high: Int64)
  let year: (low: Int64, high: Int64)

  /// The middle of the best prices in whole units, at least 1.
  static func current(_ top: MarketTop) -> Int64 {
    let (bid, ask) = top.prices
    return max(1, (bid + ask) / 2)
  }

  /// Samples the fundamental value every ten minutes since midnight, and each fourth day of the
  /// year.
  init(_ top: MarketTop, _ value: FundamentalValue, midnight: Int64, now: Int64) {
    func range(
      from start: Int64, through end: Int64, by step: Int64, _ known: (low: Int64, high: Int64)
    ) -> (low: Int64, high: Int64) {
      var (range, time) = (known, start)
      while time <= end {
        let ticks = max(1, value.ticks(at: time))
        range = (min(range.low, ticks), max(range.high, ticks))
        time += step
      }
      return range
    }
    current = BuxPrices.current(top)
    // The session ended at eight in the evening.
    closing = max(1, value.ticks(at: midnight - BuxPrices.microsecondsPerDay / 6))
    day = range(from: midnight, through: now, by: 600_000_000, (current, current))
    let yearAgo = midnight - 365 * BuxPrices.microsecondsPerDay
    year = range(from: yearAgo, through: midnight, by: 4 * BuxPrices.microsecondsPerDay, day)
  }
}

extension BuxListing {
  func write(_ prices: BuxPrices, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("symbol", symbol)
      writer.member("displayName", name)
      writer.member("securityId", identifier)
      writer.member("quoteCurrency", currency)
      writer.member("displayDecimals", decimals)
      writer.member("maxLeverage", category == .stocks ? 5 : 20)
      writer.member("multiplier", category == .stocks ? 100 : 1)
      writeAmount("currentPrice", prices.current, to: &writer)
      writeAmount("closingPrice", prices.closing, to: &writer)
      writeRange("dayRange", prices.day, to: &writer)
      writeRange("yearRange", prices.year, to: &writer)
      writer.key("openingHours")
      writer.raw(BuxOpeningHours.json(of: category))
      writer.member("category", category.rawValue)
      writer.member("favorite", false)
      writer.member("productMarketStatus", isOpen ? "OPEN" : "CLOSED")
      writer.array("tags") { $0.string(category.rawValue) }
    }
  }

  /// A price as in quotes: a string with exactly the listing's digits.
  func writePrice(_ units: Int64, to writer: inout JSONWriter) {
    writer.decimalString(FixedDecimal(units: units, scale: scale))
  }

  private func writeAmount(_ key: StaticString, _ units: Int64, to writer: inout JSONWriter) {
    writer.key(key)
    writer.object { writer in
      writeCurrency(to: &writer)
      writer.member("amount", decimal: FixedDecimal(units: units, scale: scale))
    }
  }

  private func writeRange(
    _ key: StaticString, _ range: (low: Int64, high: Int64), to writer: inout JSONWriter
  ) {
    writer.key(key)
    writer.object { writer in
      writeCurrency(to: &writer)
      writer.member("high", decimal: FixedDecimal(units: range.high, scale: scale))
      writer.member("low", decimal: FixedDecimal(units: range.low, scale: scale))
    }
  }

  private func writeCurrency(to writer: inout JSONWriter) {
    writer.member("currency", currency)
    writer.member("decimals", decimals)
  }
}

/// Opening hours in the format of the real responses: seven days, Sunday first.
enum BuxOpeningHours {
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

/// A BUX refusal; status and body follow the assignment's list of codes.
struct BuxError: Error, Equatable {
  let status: Int
  /// "AUTH_009".
  let code: String
  let explanation: String

  static let missingHeader = BuxError(
    status: 401, code: "AUTH_009", explanation: "Authorization header is missing")
  static let invalidToken = BuxError(
    status: 401, code: "AUTH_007", explanation: "Access token is not valid")
  static let expiredToken = BuxError(
    status: 401, code: "AUTH_008", explanation: "Access token is expired")
  static let noPermission = BuxError(
    status: 403, code: "AUTH_014", explanation: "User does not have sufficient permissions")
  static let unexpected = BuxError(
    status: 500, code: "TRADING_002", explanation: "Unexpected error")
  static let missingTokenOnFeed = BuxError(
    status: 401, code: "RTF_002", explanation: "Missing JWT Access Token in request")

  var response: VenueResponse {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("message")
      writer.null()
      writer.member("developerMessage", explanation)
      writer.member("errorCode", code)
    }
    return .json(writer, status: status)
  }

  var feedEvent: [UInt8] {
    JSONWriter.object { writer in
      writer.member("t", "connect.failed")
      writer.object("body") { writer in
        writer.member("developerMessage", explanation)
        writer.member("errorCode", code)
      }
    }
  }

  /// The error for an `Authorization` header; nil when it is accepted.
  ///
  /// Any bearer token is accepted unless `acceptedToken` is set. The tokens "expired" and
  /// "forbidden" get the errors of these names, for tests of the error screens.
  static func of(authorization: String?, acceptedToken: String?) -> BuxError? {
    guard let authorization, !authorization.isEmpty else { return missingHeader }
    guard authorization.hasPrefix("Bearer ") else { return invalidToken }
    let token = String(authorization.dropFirst("Bearer ".count))
    switch token {
    case "expired": return expiredToken
    case "forbidden": return noPermission
    case "": return invalidToken
    default: return acceptedToken == nil || token == acceptedToken ? nil : invalidToken
    }
  }
}
