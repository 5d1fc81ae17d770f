// Kraken's past over REST: what is asked, and how the answer is sorted out. Its quirks and where
// they are known from: docs/venues/kraken.md.

import MarketModel
import WireJSON

extension VenueHistory {
  /// Kraken's public REST.
  static let kraken = VenueHistory(
    publicAddress: "https://api.kraken.com", simulatedPath: "/kraken",
    intervals: KrakenHistory.intervals, givesTrades: true, maximumBytes: KrakenHistory.maximumBytes,
    nameLists: [.currencies, .tokens], statesCondition: true,
    path: { KrakenHistory.path($0, $1) },
    read: { KrakenHistory.read($0, $1, status: $2, $3) })
}

/// Kraken's public REST.
enum KrakenHistory {
  /// All pairs have about 1.2 MB, candles 80 kB, trades 100 kB.
  static let maximumBytes = 8 << 20
  /// Weeks are made of days: where the venue's begin is not known.
  static let intervals: [CandleInterval] = [
    .minute, .fiveMinutes, .fifteenMinutes, .hour, .fourHours, .day,
  ]
  /// The venue's word for tokens that stand for shares, which it tells of only to those who say it.
  static let tokenClass = "tokenized_asset"
  /// The most trades of a page.
  static let maximumTrades = 1000

  static func path(_ request: HistoryRequest, _ name: String) -> String? {
    if request == .names(.currencies) { return "/0/public/AssetPairs" }
    if request == .names(.tokens) { return "/0/public/AssetPairs?aclass_base=\(tokenClass)" }
    if request == .condition { return "/0/public/SystemStatus" }
    guard let name = KrakenPairName(name) else { return nil }
    let pair = name.altname + (name.isToken ? "&asset_class=\(tokenClass)" : "")
    switch request {
    case .names, .condition: return nil
    case .candles(let interval):
      guard intervals.contains(interval) else { return nil }
      return "/0/public/OHLC?pair=\(pair)&interval=\(interval.milliseconds / 60_000)"
    case .trades(let cursor):
      guard isCursor(cursor.text) else { return nil }
      return "/0/public/Trades?pair=\(pair)&since=\(cursor.text)&count=\(maximumTrades)"
    }
  }

  static func read(
    _ request: HistoryRequest, _ name: String, status: Int, _ body: Span<UInt8>
  ) -> Result<HistoryResponse, HistoryFailure> {
    guard status == 200 else { return .failure(.status(status)) }
    guard body.count <= maximumBytes else { return .failure(.badAnswer("\(body.count) bytes")) }
    do throws(JSONError) {
      let response = try KrakenResponse(body)
      if let failure = response.failure { return .failure(failure) }
      guard let result = response.result else { return .failure(.badAnswer("no result")) }
      var cursor = JSONCursor(offset: result)
      if request == .condition { return .success(.condition(try condition(body, &cursor))) }
      if case .names = request {
        return .success(.names(try KrakenPairName.all(body, &cursor)))
      }
      guard let pair = KrakenPairName(name) else { return .failure(.unknownInstrument) }
      switch request {
      case .names, .condition: return .failure(.unknownInstrument)
      case .candles(let interval): return try candles(interval, pair, body, &cursor)
      case .trades: return try trades(pair, body, &cursor)
      }
    } catch {
      return .failure(.unreadable(error))
    }
  }

  /// The longest word of a state that is read, in bytes.
  private static let maximumWordBytes = 64

  /// `{"status":"online","timestamp":…}`.
  private static func condition(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> VenueCondition {
    var word: String?
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      guard JSONText.equals(bytes, key, "status") else {
        try cursor.skipValue(bytes)
        continue
      }
      guard word == nil else { throw JSONError(.duplicateKey, at: key.lowerBound) }
      word = ForeignText.clean(try cursor.text(bytes, maximumBytes: maximumWordBytes))
    }
    switch word {
    case nil: throw JSONError(.missingKey, at: cursor.offset)
    case "online"?: return .online
    case "maintenance"?: return .maintenance
    case let other?: return .limited(other)
    }
  }

  /// Nanoseconds as digits.
  static func isCursor(_ text: String) -> Bool {
    (1...20).contains(text.utf8.count)
      && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
