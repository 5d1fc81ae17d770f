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
  let place: Place
  let kind: Kind
  let about: String
  /// The default.
  var standard: String?

  func accepts(_ text: String) -> Bool {
    switch kind {
    case .integer(let bounds):
      ScriptParameter.number(text).map(bounds.contains) ?? false
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

/// A method at a path; the router and the API documents use this table.
struct ScriptRoute: Sendable {
  enum Action: String, CaseIterable {
    case listInstruments, readTicker, readBook, readTrades, readCandles, listConnections
    case listOrders, readOrder, placeOrder, amendOrder, cancelOrder, readPositions, readFills
    case describeRequests, describeStream
  }

  static let root = "/api/v1"
  static let stream = root + "/stream"

  let action: Action
  let method: String
  /// Below ``root``, with names in braces.
  let path: String
  let about: String
  /// The schema of the response.
  let answer: String
  var type = "application/json"
  var parameters: [ScriptParameter] = []
  /// The schema of the body; nil for none.
  var body: String?
  var status = 200
  /// Problem statuses beside the common ones.
  var problems: [Int] = []

  /// Problem statuses of any request.
  static let commonProblems = [400, 401, 403, 405, 429, 503]

  private static let instrument = ScriptParameter(
    name: "instrument", place: .path, kind: .instrument,
    about: "Venue and symbol, as the list of instruments names them.")
  private static let order = ScriptParameter(
    name: "order", place: .path, kind: .integer(1...Int64.max), about: "The number of an order.")

  static let all: [ScriptRoute] = [
    ScriptRoute(
      action: .listInstruments, method: "GET", path: "/instruments",
      about: "What can be read, a part at a time.", answer: "Instruments",
      parameters: [
        ScriptParameter(
          name: "venue", place: .query, kind: .choice(Venue.allCases.map(\.rawValue)),
          about: "Those of one venue only."),
        ScriptParameter(
          name: "limit", place: .query, kind: .integer(1...Int64(ScriptListing.maximum)),
          about: "How many.", standard: "100"),
        ScriptParameter(
          name: "after", place: .query, kind: .instrument,
          about: "Those that follow this one: `next` of the answer before."),
      ], problems: [404]),
    ScriptRoute(
      action: .readTicker, method: "GET", path: "/instruments/{instrument}/ticker",
      about: "The day's figures.", answer: "Ticker", parameters: [instrument], problems: [404]),
    ScriptRoute(
      action: .readBook, method: "GET", path: "/instruments/{instrument}/book",
      about: "The best 20 levels a side, with their proof.", answer: "Book",
      parameters: [instrument], problems: [404]),
    ScriptRoute(
      action: .readTrades, method: "GET", path: "/instruments/{instrument}/trades",
      about: "The latest trades, newest first.", answer: "Trades", parameters: [instrument],
      problems: [404]),
    ScriptRoute(
      action: .readCandles, method: "GET", path: "/instruments/{instrument}/candles",
      about: "Candles, oldest first, the forming one last.", answer: "Candles",
      parameters: [
        instrument,
        ScriptParameter(
          name: "interval", place: .query,
          kind: .numbers(CandleInterval.allCases.map(\.milliseconds)),
          about: "Their length in milliseconds.", standard: "60000"),
        ScriptParameter(
          name: "limit", place: .query, kind: .integer(1...1000), about: "How many at most.",
          standard: "100"),
        ScriptParameter(
          name: "before", place: .query, kind: .integer(0...9_007_199_254_740_991),
          about: "Those that start before this moment, milliseconds since 1970."),
      ], problems: [404]),
    ScriptRoute(
      action: .listConnections, method: "GET", path: "/connections",
      about: "The connections to the venues.", answer: "Connections"),
    ScriptRoute(
      action: .listOrders, method: "GET", path: "/orders",
      about: "The newest 100 orders and all open ones, or a page of older ones.",
      answer: "Orders",
      parameters: [
        ScriptParameter(
          name: "before", place: .query, kind: .integer(1...Int64.max),
          about: "Orders with lower numbers only.")
      ]),
    ScriptRoute(
      action: .placeOrder, method: "POST", path: "/orders",
      about: "Places an order on the exchange's stock. The same clientId with the same content "
        + "never makes a second order and gets the same answer.", answer: "Order",
      body: "OrderTicket", status: 201, problems: [409, 413, 415, 422, 504]),
    ScriptRoute(
      action: .readOrder, method: "GET", path: "/orders/{order}", about: "One order.",
      answer: "Order", parameters: [order], problems: [404]),
    ScriptRoute(
      action: .amendOrder, method: "PATCH", path: "/orders/{order}",
      about: "Lets an open order hold for another quantity, at another price, or both.",
      answer: "Order", parameters: [order], body: "Amendment",
      problems: [404, 409, 413, 415, 422, 504]),
    ScriptRoute(
      action: .cancelOrder, method: "DELETE", path: "/orders/{order}",
      about: "Cancels an open order.", answer: "Order", parameters: [order],
      problems: [404, 409, 504]),
    ScriptRoute(
      action: .readPositions, method: "GET", path: "/positions",
      about: "What is owned of the exchange's stock, by the ledger's fills.", answer: "Positions"),
    ScriptRoute(
      action: .readFills, method: "GET", path: "/fills.csv",
      about: "Every fill, newest first, as CSV (RFC 4180): time, market, order, side, quantity, "
        + "price, fee, role.", answer: "Fills", type: "text/csv"),
    ScriptRoute(
      action: .describeRequests, method: "GET", path: "/openapi.json",
      about: "What can be asked over HTTP: this document.", answer: "Document"),
    ScriptRoute(
      action: .describeStream, method: "GET", path: "/asyncapi.json",
      about: "What the WebSocket at \(stream) says.", answer: "Document"),
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
