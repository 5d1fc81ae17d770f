import MarketModel

struct ScriptParameter: Sendable {
  enum Place: String { case path, query }

  enum Kind: Sendable {
    case integer(ClosedRange<Int64>)
    case numbers([Int64])
    case choice([String])
    /// "kraken/BTC/USD".
    case instrument
  }

  let name: String
  var place = Place.query
  let kind: Kind

  func accepts(_ text: String) -> Bool {
    switch kind {
    case .integer(let bounds): ScriptParameter.number(text).map(bounds.contains) ?? false
    case .numbers(let numbers): ScriptParameter.number(text).map(numbers.contains) ?? false
    case .choice(let words): words.contains(text)
    case .instrument: InstrumentKey(text: text) != nil
    }
  }

  /// Digits only.
  private static func number(_ text: String) -> Int64? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }
}

/// A method at a path; `assets/api/openapi.json` of the page describes the same ones.
struct ScriptRoute: Sendable {
  enum Action: String, CaseIterable {
    case listInstruments, readTicker, readBook, readTrades, readCandles, listConnections
    case listOrders, readOrder, placeOrder, amendOrder, cancelOrder, readPositions, readFills
    case describeRequests, describeStream
  }

  static let root = "/api/v1"
  static let stream = root + "/stream"

  /// The document's `operationId`.
  let action: Action
  let method: String
  /// Below ``root``, with names in braces.
  let path: String
  let parameters: [ScriptParameter]
  let takesBody: Bool
  /// The status of its success.
  let status: Int

  private init(
    _ action: Action, _ method: String, _ path: String, _ parameters: [ScriptParameter] = [],
    takesBody: Bool = false, status: Int = 200
  ) {
    (self.action, self.method, self.path) = (action, method, path)
    (self.parameters, self.takesBody, self.status) = (parameters, takesBody, status)
  }

  private static let instrument = ScriptParameter(
    name: "instrument", place: .path, kind: .instrument)
  private static let order = ScriptParameter(
    name: "order", place: .path, kind: .integer(1...Int64.max))

  static let all: [ScriptRoute] = [
    ScriptRoute(
      .listInstruments, "GET", "/instruments",
      [
        ScriptParameter(name: "venue", kind: .choice(Venue.allCases.map(\.rawValue))),
        ScriptParameter(name: "limit", kind: .integer(1...Int64(ScriptListing.maximum))),
        ScriptParameter(name: "after", kind: .instrument),
      ]),
    ScriptRoute(.readTicker, "GET", "/instruments/{instrument}/ticker", [instrument]),
    ScriptRoute(.readBook, "GET", "/instruments/{instrument}/book", [instrument]),
    ScriptRoute(.readTrades, "GET", "/instruments/{instrument}/trades", [instrument]),
    ScriptRoute(
      .readCandles, "GET", "/instruments/{instrument}/candles",
      [
        instrument,
        ScriptParameter(
          name: "interval", kind: .numbers(CandleInterval.allCases.map(\.milliseconds))),
        ScriptParameter(name: "limit", kind: .integer(1...1000)),
        ScriptParameter(name: "before", kind: .integer(0...9_007_199_254_740_991)),
      ]),
    ScriptRoute(.listConnections, "GET", "/connections"),
    ScriptRoute(
      .listOrders, "GET", "/orders",
      [ScriptParameter(name: "before", kind: .integer(1...Int64.max))]),
    ScriptRoute(.placeOrder, "POST", "/orders", takesBody: true, status: 201),
    ScriptRoute(.readOrder, "GET", "/orders/{order}", [order]),
    ScriptRoute(.amendOrder, "PATCH", "/orders/{order}", [order], takesBody: true),
    ScriptRoute(.cancelOrder, "DELETE", "/orders/{order}", [order]),
    ScriptRoute(.readPositions, "GET", "/positions"),
    ScriptRoute(.readFills, "GET", "/fills.csv"),
    ScriptRoute(.describeRequests, "GET", "/openapi.json"),
    ScriptRoute(.describeStream, "GET", "/asyncapi.json"),
  ]

  /// The values of the path's names if a path below ``root`` matches; nil otherwise.
  ///
  /// An instrument may be written with unescaped slashes.
  func values(of parts: [String]) -> [String: String]? {
    let own = path.split(separator: "/").map(String.init)
    guard let hole = own.firstIndex(where: { $0.hasPrefix("{") }) else {
      return own == parts ? [:] : nil
    }
    let tail = own[(hole + 1)...]
    guard parts.count >= own.count, Array(parts[..<hole]) == Array(own[..<hole]),
      Array(parts.suffix(tail.count)) == Array(tail)
    else { return nil }
    let value = parts[hole..<(parts.count - tail.count)]
    let name = String(own[hole].dropFirst().dropLast())
    guard value.count == 1 || name == "instrument" else { return nil }
    return [name: value.joined(separator: "/")]
  }
}
