// Public calls under `/api/v5/`, in the real venue's format: newest first.

public import MarketModel
import WireJSON

/// Why a call fails: the venue's code and words, with the status of the response.
struct OKXCallProblem: Error {
  let code: String
  let words: String
  var status = 200

  static let unknownInstrument = OKXCallProblem(
    code: "51001", words: "Instrument ID, Instrument ID code, or Spread ID doesn't exist.")

  static func parameter(_ name: String) -> OKXCallProblem {
    OKXCallProblem(code: "51000", words: "Parameter \(name) error", status: 400)
  }
}

extension SimulatedOKX {
  private static let prefix = "/api/v5/"

  /// Responds to paths under `/api/v5/`; nil for any other path.
  public mutating func respond(to request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    guard request.path.hasPrefix(Self.prefix) else { return nil }
    catchUp(to: now)
    var data = JSONWriter(capacity: 32_768)
    var (code, words, status) = ("0", "", 200)
    do throws(OKXCallProblem) {
      data.beginArray()
      try write(String(request.path.dropFirst(Self.prefix.count)), request, at: now, to: &data)
      data.endArray()
    } catch {
      (code, words, status) = (error.code, error.words, error.status)
      data = JSONWriter()
      data.raw("[]")
    }
    var writer = JSONWriter(capacity: data.bytes.count + 64)
    writer.object { writer in
      writer.member("code", code)
      writer.member("msg", words)
      writer.key("data")
      writer.raw(data.bytes)
    }
    return .json(writer, status: status)
  }

  private mutating func write(
    _ method: String, _ request: VenueRequest, at now: Timestamp, to writer: inout JSONWriter
  ) throws(OKXCallProblem) {
    switch method {
    case "public/instruments":
      guard let type = request.queryValue("instType") else { throw .parameter("instType") }
      guard type == "SPOT" else { return }
      let wanted = request.queryValue("instId")
      for pair in pairs where wanted == nil || wanted == pair.symbol {
        OKXText.instrument(&writer, pair)
      }
    case "public/time":
      writer.object { $0.member("ts", String(now.milliseconds)) }
    case "system/status": break
    case "market/candles", "market/history-candles": try writeCandles(request, at: now, to: &writer)
    case "market/trades": try writeTrades(request, most: 500, to: &writer)
    case "market/history-trades": try writePastTrades(request, to: &writer)
    case "market/books": try writeBook(request, at: now, to: &writer)
    case "market/ticker":
      let index = try pair(of: request)
      writeTicker(index, at: now, to: &writer)
    case "market/tickers": for index in pairs.indices { writeTicker(index, at: now, to: &writer) }
    default: throw OKXCallProblem(code: "404", words: "Not Found", status: 404)
    }
  }

  private func pair(of request: VenueRequest) throws(OKXCallProblem) -> Int {
    guard let name = request.queryValue("instId"), !name.isEmpty else { throw .parameter("instId") }
    guard let index = index(of: name) else {
      throw .unknownInstrument
    }
    return index
  }

  private func limit(
    _ request: VenueRequest, default missing: Int64, most: Int64
  ) throws(OKXCallProblem) -> Int64 {
    guard let text = request.queryValue("limit"), !text.isEmpty else { return missing }
    guard let value = Int64(text), value > 0 else { throw .parameter("limit") }
    return min(value, most)
  }

  private mutating func writeCandles(
    _ request: VenueRequest, at now: Timestamp, to writer: inout JSONWriter
  ) throws(OKXCallProblem) {
    let index = try pair(of: request)
    guard let length = Self.minutes[request.queryValue("bar") ?? "1m"] else {
      throw .parameter("bar")
    }
    let limit = try limit(request, default: 100, most: 300)
    let minute = minute(at: now)
    // `after` means older than, `before` newer than.
    let older = request.queryValue("after").flatMap { Int64($0) } ?? .max
    let newer = request.queryValue("before").flatMap { Int64($0) } ?? .min
    var end = minute
    if older < .max {
      let last = PastTrading.divide((older - 1) / 60_000, length) * length
      end = min(minute, last + length - 1)
    }
    guard end >= tapes[index].listing else { return }
    let rows = tapes[index].candles(minutes: length, count: limit, at: end)
    let present = PastTrading.divide(minute, length) * length
    for row in rows.reversed() where row.start * 60_000 > newer {
      OKXText.candle(
        &writer, pairs[index], start: row.start * 60_000, row.candle,
        isClosed: row.start != present)
    }
  }

  private func writeTrades(
    _ request: VenueRequest, most: Int64, to writer: inout JSONWriter,
    where wanted: (TapeTrade) -> Bool = { _ in true }
  ) throws(OKXCallProblem) {
    let index = try pair(of: request)
    let limit = try limit(request, default: 100, most: most)
    for trade in tapes[index].latest(Int(limit), where: wanted).reversed() {
      writer.object { writer in
        writer.member("instId", pairs[index].symbol)
        writer.member("side", trade.isBuy ? "buy" : "sell")
        writer.member("sz", decimal: pairs[index].quantity(lots: trade.lots))
        writer.member("px", decimal: pairs[index].price(trade.ticks))
        writer.member("tradeId", String(trade.identifier))
        writer.member("ts", String(trade.microseconds / 1000))
      }
    }
  }

  /// Trades older than `after`: a number with type 1, a time in milliseconds with type 2.
  private func writePastTrades(
    _ request: VenueRequest, to writer: inout JSONWriter
  ) throws(OKXCallProblem) {
    let older = try number(request, "after")
    switch request.queryValue("type") ?? "1" {
    case "1": try writeTrades(request, most: 100, to: &writer) { $0.identifier < older }
    case "2": try writeTrades(request, most: 100, to: &writer) { $0.microseconds / 1000 < older }
    default: throw .parameter("type")
    }
  }

  private func number(_ request: VenueRequest, _ name: String) throws(OKXCallProblem) -> Int64 {
    guard let text = request.queryValue(name), !text.isEmpty else { return .max }
    guard let value = Int64(text), value > 0 else { throw .parameter(name) }
    return value
  }

  private func writeBook(
    _ request: VenueRequest, at now: Timestamp, to writer: inout JSONWriter
  ) throws(OKXCallProblem) {
    let index = try pair(of: request)
    let depth = request.queryValue("sz").flatMap { Int($0) } ?? 1
    guard (1...Self.depth).contains(depth) else { throw .parameter("sz") }
    let book = published[index].book.cut(to: depth)
    writer.object { writer in
      OKXText.sides(pairs[index], bids: book.bids, asks: book.asks, &writer)
      writer.member("ts", String(now.milliseconds))
      writer.member("seqId", published[index].bookSequence)
    }
  }

  private mutating func writeTicker(_ index: Int, at now: Timestamp, to writer: inout JSONWriter) {
    let day = daySummary(of: index, at: now)
    writer.object { writer in
      OKXText.tickerMembers(
        pairs[index], published[index].touch, day, lastLots: tapes[index].last?.lots ?? 0, at: now,
        &writer)
    }
  }

  /// Minutes by bar.
  ///
  /// At the real venue a day without "utc" opens at 16:00 UTC; here that bar is missing.
  private static let minutes: [String: Int64] = [
    "1m": 1, "3m": 3, "5m": 5, "15m": 15, "30m": 30, "1H": 60, "2H": 120, "4H": 240,
    "6Hutc": 360, "12Hutc": 720, "1Dutc": 1440,
  ]
}
