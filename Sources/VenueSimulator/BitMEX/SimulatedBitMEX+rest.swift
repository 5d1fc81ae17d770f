// Public REST answers, on the same port as the WebSocket.

public import MarketModel

extension SimulatedBitMEX {
  private static let prefix = "/api/v1/"
  private static let accountPaths = [
    "affiliate", "apiKey", "execution", "order", "position", "user",
  ]

  /// Answers what lies under `/api/v1/`; nil for any other path.
  public mutating func respond(to request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    guard request.path.hasPrefix(SimulatedBitMEX.prefix) else { return nil }
    catchUpUnheard(to: now)
    let (headers, isExceeded) = rest.use(at: now)
    if isExceeded {
      return BitMEXRest.error(429, "Rate limit exceeded, retry later.", headers: headers)
    }
    let path = String(request.path.dropFirst(SimulatedBitMEX.prefix.count))
    var answer = BitMEXText(generation)
    do throws(BitMEXRestProblem) {
      try write(path, request, at: now, to: &answer)
    } catch {
      return BitMEXRest.error(error.status, error.message, headers: headers)
    }
    return VenueResponse(status: 200, body: answer.bytes, headers: headers)
  }

  private mutating func write(
    _ path: String, _ request: VenueRequest, at now: Timestamp, to answer: inout BitMEXText
  ) throws(BitMEXRestProblem) {
    switch path {
    case "instrument", "instrument/active", "instrument/activeAndIndices":
      writeInstruments(request, to: &answer)
    case "trade/bucketed": try writeBuckets(request, at: now, to: &answer)
    case "trade": try writeTrades(request, to: &answer)
    case "orderBook/L2": try writeBook(request, at: now, to: &answer)
    case "wallet/assets": answer.raw(BitMEXRest.assets)
    case "schema/websocketHelp": answer.raw(BitMEXRest.help)
    default:
      let first = path.split(separator: "/").first.map(String.init) ?? ""
      guard SimulatedBitMEX.accountPaths.contains(first) else {
        throw BitMEXRestProblem(status: 404, message: "Not Found")
      }
      throw BitMEXRestProblem(status: 401, message: "Missing API key.")
    }
  }

  private func writeInstruments(_ request: VenueRequest, to answer: inout BitMEXText) {
    let symbol = request.queryValue("symbol")
    answer.raw("[")
    for market in markets where symbol == nil || symbol == market.instrument.symbol {
      answer.instrument(market)
    }
    answer.dropComma()
    answer.raw("]")
  }

  private func writeTrades(
    _ request: VenueRequest, to answer: inout BitMEXText
  ) throws(BitMEXRestProblem) {
    let symbol = request.queryValue("symbol")
    let count = try number(request, "count", default: 100, within: 1...BitMEXMarket.keptTrades)
    let isReverse = request.queryValue("reverse") == "true"
    var found: [(trade: BitMEXTrade, instrument: BitMEXInstrument)] = []
    for market in markets where symbol == nil || symbol == market.instrument.symbol {
      let trades = market.trades.suffix(BitMEXMarket.keptTrades)
      found += trades.map { ($0, market.instrument) }
    }
    // Of one market they are in order already; several are merged, equal times in the order listed.
    if symbol == nil { found.sort { $0.trade.milliseconds < $1.trade.milliseconds } }
    answer.raw("[")
    for (trade, instrument) in isReverse
      ? Array(found.reversed().prefix(count))
      : Array(found.prefix(count))
    {
      answer.trade(trade, instrument)
    }
    answer.dropComma()
    answer.raw("]")
  }

  private func writeBook(
    _ request: VenueRequest, at now: Timestamp, to answer: inout BitMEXText
  ) throws(BitMEXRestProblem) {
    guard let symbol = request.queryValue("symbol"), !symbol.isEmpty else {
      throw BitMEXRestProblem(status: 400, message: "'symbol' is a required arg.")
    }
    let asked = try number(request, "depth", default: 25, within: 0...100_000)
    answer.raw("[")
    if let market = markets.first(where: { $0.instrument.symbol == symbol }) {
      let depth = asked == 0 ? Int.max : asked
      for row in BitMEXTopBook(market, depth: depth).rows {
        answer.level(row, market.instrument, nil, milliseconds: now.milliseconds)
      }
    }
    answer.dropComma()
    answer.raw("]")
  }

  func number(
    _ request: VenueRequest, _ name: String, default missing: Int, within range: ClosedRange<Int>
  ) throws(BitMEXRestProblem) -> Int {
    guard let text = request.queryValue(name) else { return missing }
    guard let value = Int(text), range.contains(value) else {
      throw BitMEXRestProblem(status: 400, message: "Invalid \(name)")
    }
    return value
  }
}

/// Why a request is not answered.
struct BitMEXRestProblem: Error {
  /// The HTTP status.
  let status: Int
  /// What the body says.
  let message: String
}
