import MarketModel
import VenueCatalogue
import WireJSON

/// The names of a pair at REST: "XBTUSD" in a request, "XXBTZUSD" in a response.
///
/// Only the venue's own table maps them to the stream's "BTC/USD".
struct KrakenPairName: Equatable {
  /// The name in requests, which may also be the response's: "XBTUSD".
  let altname: String
  /// The name in responses: "XXBTZUSD".
  let key: String
  /// Whether the base is a token for a share, which requests must state.
  let isToken: Bool

  /// More pairs than the venue has ever listed.
  private static let maximumPairs = 8192
  private static let maximumBytes = 32

  private static let tokenMark = "@token"

  init?(altname: String, key: String, isToken: Bool) {
    guard KrakenPairName.isName(altname), KrakenPairName.isName(key) else { return nil }
    (self.altname, self.key, self.isToken) = (altname, key, isToken)
  }

  /// Parses ``text``: "XBTUSD=XXBTZUSD", or one name for both; for a token "AAPLxUSD@token".
  init?(_ text: String) {
    let isToken = text.hasSuffix(KrakenPairName.tokenMark)
    let text = text.dropLast(isToken ? KrakenPairName.tokenMark.count : 0)
    let parts = text.split(separator: "=", maxSplits: 2, omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, parts.count <= 2 else { return nil }
    self.init(altname: String(first), key: String(last), isToken: isToken)
  }

  /// Both names and the token mark as one text, for storage.
  var text: String {
    (altname == key ? altname : "\(altname)=\(key)") + (isToken ? KrakenPairName.tokenMark : "")
  }

  func matches(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let name = JSONText.decode(bytes, range)
    return name == altname || name == key
  }

  /// Reads all pairs, by their names in the stream; of two with the same name the first counts.
  ///
  /// A pair without a stream name, or with invalid names, is left out.
  static func all(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> [Symbol: String] {
    var names: [Symbol: String] = [:]
    var count = 0
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      count += 1
      guard count <= maximumPairs else { throw JSONError(.tooLong, at: key.lowerBound) }
      let (altname, wsname, isToken) = try pair(bytes, &cursor)
      guard key.count <= maximumBytes, let altname, let symbol = wsname.flatMap(symbol),
        let name = KrakenPairName(
          altname: altname, key: JSONText.decode(bytes, key), isToken: isToken)
      else { continue }
      if names[symbol] == nil { names[symbol] = name.text }
    }
    return names
  }

  private static func pair(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> (altname: String?, wsname: String?, isToken: Bool) {
    var (altname, wsname): (String?, String?)
    var isToken = false
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "altname": altname = try cursor.text(bytes, maximumBytes: 256)
      case "wsname":
        wsname =
          try cursor.takeNullIfPresent(bytes) ? nil : cursor.text(bytes, maximumBytes: 256)
      case "aclass_base":
        isToken = try cursor.text(bytes, maximumBytes: 256) == KrakenHistory.tokenClass
      default: break
      }
    }
    return (altname, wsname, isToken)
  }

  /// The name in the stream, which uses BTC and DOGE where REST uses XBT and XDG.
  private static func symbol(_ wsname: String) -> Symbol? {
    let sides = wsname.split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2, sides.allSatisfy({ !$0.isEmpty }) else { return nil }
    return Symbol(sides.map { modern[String($0)] ?? String($0) }.joined(separator: "/"))
  }

  private static let modern = ["XBT": "BTC", "XDG": "DOGE"]

  /// Whether a name is safe in a query.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= maximumBytes
      && text.utf8.allSatisfy(BookInstrument.isNameByte)
  }
}

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
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "error": errors = try KrakenResponse.texts(bytes, &cursor)
      case "result": result = try cursor.placeOfValue(bytes)
      default: break
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
  static func isWarning(_ text: String) -> Bool { text.hasPrefix("W") && text.contains(":") }
}
