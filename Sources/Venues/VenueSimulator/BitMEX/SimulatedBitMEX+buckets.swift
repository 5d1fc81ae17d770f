// `trade/bucketed`: candles of the same trades as the stream; a bin is dated by its end.

import MarketModel
import WireJSON

extension SimulatedBitMEX {
  /// The rows of one instrument, oldest first unless `reverse`.
  mutating func writeBuckets(
    _ request: VenueRequest, at now: Timestamp, to answer: inout BitMEXText
  ) throws(BitMEXRestProblem) {
    guard let symbol = request.queryValue("symbol"), !symbol.isEmpty else {
      throw BitMEXRestProblem(status: 400, message: "'symbol' is a required arg.")
    }
    guard let minutes = Self.binMinutes[request.queryValue("binSize") ?? "1m"] else {
      throw BitMEXRestProblem(status: 400, message: "Invalid binSize")
    }
    let count = try number(request, "count", default: 100, within: 1...1000)
    let skipped = try number(request, "start", default: 0, within: 0...500_000)
    var earliest = Int64.min
    if let text = request.queryValue("startTime"), !text.isEmpty {
      guard let time = Self.time(text) else {
        throw BitMEXRestProblem(status: 400, message: "Invalid startTime")
      }
      earliest = -PastTrading.divide(-time.milliseconds, 60_000)
    }
    answer.raw("[")
    if let index = markets.firstIndex(where: { $0.instrument.symbol == symbol }) {
      let present = MarketTape.minute(MarketTape.microseconds(market.settled(now)))
      let bins = Bins(
        minutes: minutes, earliestEnd: earliest, listing: tapes[index].listing, present: present,
        hasPartial: request.queryValue("partial") == "true")
      for place in 0..<Int64(count) {
        let isReverse = request.queryValue("reverse") == "true"
        guard let end = bins.end(place + Int64(skipped), isReverse: isReverse) else { break }
        answer.bucket(
          markets[index].instrument, end: end,
          bucket(of: index, from: end - minutes, to: end, at: present))
      }
    }
    answer.dropComma()
    answer.raw("]")
  }

  private mutating func bucket(
    of index: Int, from: Int64, to: Int64, at present: Int64
  ) -> TapeCandle {
    let traded = tapes[index].candle(from: from, to: min(to, present + 1), at: present)
    return traded.count > 0 ? traded : .empty(at: tapes[index].close(before: from) ?? 0)
  }

  /// "2026-11-23", with or without a time, with or without "Z".
  private static func time(_ text: String) -> Timestamp? {
    let date = text.utf8.count == 10 ? text + "T00:00:00Z" : text
    return Timestamp(iso8601: date) ?? Timestamp(iso8601: date + "Z")
  }

  private static let binMinutes: [String: Int64] = ["1m": 1, "5m": 5, "1h": 60, "1d": 1440]

  private struct Bins {
    let minutes: Int64
    let first: Int64
    let last: Int64

    init(minutes: Int64, earliestEnd: Int64, listing: Int64, present: Int64, hasPartial: Bool) {
      self.minutes = minutes
      let listed = PastTrading.divide(listing, minutes) * minutes + minutes
      let asked = earliestEnd == .min ? listed : earliestEnd
      first = max(listed, -PastTrading.divide(-asked, minutes) * minutes)
      last = PastTrading.divide(present, minutes) * minutes + (hasPartial ? minutes : 0)
    }

    func end(_ place: Int64, isReverse: Bool) -> Int64? {
      let end = isReverse ? last - place * minutes : first + place * minutes
      return (first...max(first, last)).contains(end) && first <= last ? end : nil
    }
  }
}

extension BitMEXText {
  /// A row of `trade/bucketed`; values are those of all contracts at the average price.
  mutating func bucket(_ instrument: BitMEXInstrument, end: Int64, _ candle: TapeCandle) {
    raw("{\"timestamp\":")
    time(end * 60_000)
    raw(",\"symbol\":\"")
    raw(instrument.symbol.utf8)
    raw("\"")
    let prices: [(StaticString, Int64)] = [
      (",\"open\":", candle.open), (",\"high\":", candle.high), (",\"low\":", candle.low),
      (",\"close\":", candle.close),
    ]
    for (name, ticks) in prices {
      raw(name)
      float(instrument.price(ticks))
    }
    let size = candle.lots * instrument.lot
    raw(",\"trades\":")
    integer(candle.count)
    raw(",\"volume\":")
    integer(size)
    guard candle.count > 0 else {
      return raw(
        ",\"vwap\":null,\"lastSize\":null,\"turnover\":0,\"homeNotional\":0,\"foreignNotional\":0},"
      )
    }
    raw(",\"vwap\":")
    let digits = Scale(clamping: instrument.priceScale.digits + 3)
    float(FixedDecimal(units: candle.average * instrument.tickUnits, scale: digits))
    raw(",\"lastSize\":")
    integer(candle.lastLots * instrument.lot)
    let value = instrument.value(size: size, ticks: (candle.average + 500) / 1000)
    raw(",\"turnover\":")
    integer(value.grossSatoshi)
    raw(",\"homeNotional\":")
    float(value.home)
    raw(",\"foreignNotional\":")
    float(value.foreign)
    raw("},")
  }
}

/// Fixed responses and errors of the simulated BitMEX's REST API.
enum BitMEXRest {
  /// `{"error":{"message":…,"name":"HTTPError"}}`.
  static func error(
    _ status: Int, _ message: String, headers: [String: String] = [:]
  ) -> VenueResponse {
    var writer = JSONWriter()
    writer.object { writer in
      writer.object("error") { writer in
        writer.member("message", message)
        writer.member("name", "HTTPError")
      }
    }
    return .json(writer, status: status, headers: headers)
  }

  /// The currencies, as in `wallet/assets`.
  static let assets: StaticString = """
    [{"asset":"XBT","currency":"XBt","majorCurrency":"XBT","name":"Bitcoin",\
    "currencyType":"Crypto","scale":"8","enabled":true,"isMarginCurrency":true,\
    "minDepositAmount":10000,"minWithdrawalAmount":1000,"maxWithdrawalAmount":100000000000000,\
    "networks":[{"asset":"btc","tokenAddress":"","depositEnabled":true,\
    "withdrawalEnabled":true,"withdrawalFee":"20000","minFee":"20000","maxFee":"10000000"}]},\
    {"asset":"USDT","currency":"USDt","majorCurrency":"USDT","name":"USD Tether",\
    "currencyType":"Crypto","scale":"6","enabled":true,"isMarginCurrency":true,\
    "minDepositAmount":1000000,"minWithdrawalAmount":1000000,\
    "maxWithdrawalAmount":100000000000000,"networks":[{"asset":"eth",\
    "tokenAddress":"0xdac17f958d2ee523a2206206994597c13d831ec7","depositEnabled":true,\
    "withdrawalEnabled":true,"withdrawalFee":"0","minFee":"0","maxFee":"0"}]}]
    """
}

/// The rate limit of REST requests per minute, for all clients together: they can't be told apart.
struct BitMEXRestBudget: Sendable {
  static let limit = 600

  private var minute: Int64 = .min
  private var used = 0

  /// Counts a request; returns the headers to send, and whether the limit is exceeded.
  mutating func use(at now: Timestamp) -> (headers: [String: String], isExceeded: Bool) {
    let thisMinute = now.milliseconds / 60_000
    if thisMinute != minute { (minute, used) = (thisMinute, 0) }
    used = min(used + 1, BitMEXRestBudget.limit + 1)
    let isExceeded = used > BitMEXRestBudget.limit
    let reset = (thisMinute + 1) * 60
    var headers = [
      "x-ratelimit-limit": String(BitMEXRestBudget.limit),
      "x-ratelimit-remaining": String(max(0, BitMEXRestBudget.limit - used)),
      "x-ratelimit-reset": String(reset),
    ]
    if isExceeded { headers["retry-after"] = String(reset - now.milliseconds / 1000) }
    return (headers, isExceeded)
  }
}
