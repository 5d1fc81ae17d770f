import MarketModel
import WireJSON

/// The envelope of Kraken's REST: `{"error":[…],"result":…}`, with status 200.
struct KrakenResponse {
  /// The meaning of the errors; nil without errors, warnings not counted.
  let failure: HistoryFailure?
  let result: Int?

  private static let maximumErrors = 16

  /// Validates the whole body and finds its parts.
  init(_ bytes: Span<UInt8>) throws(JSONError) {
    var cursor = JSONCursor()
    var (errors, result): ([String]?, Int?)
    var seen = KeySet()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "error") {
        try seen.insert(1, at: key.lowerBound)
        errors = try KrakenResponse.texts(bytes, &cursor)
      } else if JSONText.equals(bytes, key, "result") {
        try seen.insert(2, at: key.lowerBound)
        _ = try cursor.peek(bytes)
        result = cursor.offset
        try cursor.skipValue(bytes)
      } else {
        try cursor.skipValue(bytes)
      }
    }
    try cursor.finish(bytes)
    guard let errors else { throw JSONError(.missingKey, at: cursor.offset) }
    failure = KrakenResponse.failure(errors.filter { !KrakenSeverity.isWarning($0) })
    self.result = result
  }

  /// The warnings of a body; empty for an unreadable one.
  ///
  /// O(bytes up to the list of errors), which comes first.
  static func warnings(_ bytes: Span<UInt8>) -> [String] {
    var cursor = JSONCursor()
    do throws(JSONError) {
      try cursor.beginObject(bytes)
      var first = true
      while let key = try cursor.nextKey(bytes, first: &first) {
        if JSONText.equals(bytes, key, "error") {
          return try texts(bytes, &cursor).filter(KrakenSeverity.isWarning)
        }
        try cursor.skipValue(bytes)
      }
    } catch {
      // The body's own reader reports the defect.
    }
    return []
  }

  private static func texts(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> [String] {
    try cursor.list(bytes, atMost: maximumErrors) { (cursor) throws(JSONError) in
      ForeignText.clean(try cursor.text(bytes, maximumBytes: 1024))
    }
  }

  /// The most important error first: rate limits, then temporary errors, then permanent ones.
  private static func failure(_ errors: [String]) -> HistoryFailure? {
    guard let first = errors.first else { return nil }
    if errors.contains(where: isLimit) { return .rateLimited }
    if errors.contains(where: { $0.hasPrefix("EService:") }) { return .unavailable(first) }
    if errors.contains(where: { $0.hasPrefix("EQuery:Unknown asset pair") }) {
      return .unknownInstrument
    }
    return .badAnswer(first)
  }

  private static func isLimit(_ text: String) -> Bool {
    text.hasPrefix("EGeneral:Too many requests") || text.hasPrefix("EAPI:Rate limit exceeded")
  }
}

/// The severity at the start of Kraken's messages: `<severity><category>:<type>`.
///
/// E is an error, W a warning about a request that was carried out.
enum KrakenSeverity {
  static func isWarning(_ text: String) -> Bool {
    text.hasPrefix("W") && text.contains(":")
  }
}
