// Public REST answers, on the same port as the WebSocket.

public import MarketModel

extension SimulatedBitMEX {
  private static let prefix = "/api/v1/"

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
    case "wallet/assets": answer.raw(BitMEXRest.assets)
    default: throw BitMEXRestProblem(status: 404, message: "Not Found")
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
