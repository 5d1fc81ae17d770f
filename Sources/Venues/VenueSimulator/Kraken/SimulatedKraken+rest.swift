// Public calls under `/0/public/`, in the real venue's format; a failure has status 200 as well.

public import MarketModel
import WireJSON

/// Why a call fails, in the venue's words.
struct KrakenCallProblem: Error {
  let words: StaticString

  static let unknownPair = KrakenCallProblem(words: "EQuery:Unknown asset pair")
  static let arguments = KrakenCallProblem(words: "EGeneral:Invalid arguments")
  static let tooMany = KrakenCallProblem(words: "EGeneral:Too many requests")
  static let method = KrakenCallProblem(words: "EGeneral:Unknown method")
}

extension SimulatedKraken {
  private static let prefix = "/0/public/"

  /// Responds to paths under `/0/public/`; nil for any other path.
  public mutating func respond(to request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    guard request.path.hasPrefix(Self.prefix) else { return nil }
    catchUp(to: now)
    var writer = JSONWriter(capacity: 1024)
    writer.beginObject()
    writer.key("error")
    do throws(KrakenCallProblem) {
      guard calls.take(at: now) else { throw .tooMany }
      var result = JSONWriter(capacity: 64 * 1024)
      let method = String(request.path.dropFirst(Self.prefix.count))
      try write(method, request, at: now, to: &result)
      writer.raw("[]")
      writer.key("result")
      writer.raw(result.bytes)
    } catch {
      writer.beginArray()
      writer.raw(Array("\"\(error.words)\"".utf8))
      writer.endArray()
    }
    writer.endObject()
    return .json(writer)
  }

  private mutating func write(
    _ method: String, _ request: VenueRequest, at now: Timestamp, to writer: inout JSONWriter
  ) throws(KrakenCallProblem) {
    switch method {
    case "OHLC": try writeCandles(request, at: now, to: &writer)
    case "Trades": try writeTrades(request, at: now, to: &writer)
    case "Depth": try writeBook(request, at: now, to: &writer)
    case "Ticker": try writeTickers(request, at: now, to: &writer)
    case "AssetPairs": try writePairs(request, to: &writer)
    case "Assets": writer.raw(directory.assets)
    case "SystemStatus": KrakenText.systemStatus(&writer, at: now)
    case "Time": KrakenText.serverTime(&writer, at: now)
    default: throw .method
    }
  }

  /// The pair that a call must name, with its class if it is a token; its tape is filled up to
  /// `now`.
  private mutating func pair(
    of request: VenueRequest, at now: Timestamp
  ) throws(KrakenCallProblem) -> Int {
    guard let name = request.queryValue("pair"), !name.isEmpty else { throw .arguments }
    guard let place = directory.names[name] else { throw .unknownPair }
    let wantsToken = request.queryValue("asset_class") == Self.tokenClass
    guard directory.pairs[place].isToken == wantsToken else {
      throw wantsToken ? .unknownPair : .arguments
    }
    let index = index(at: place)
    tell(index, until: now)
    remember(index)
    return index
  }

  private func integer(
    _ request: VenueRequest, _ name: String
  ) throws(KrakenCallProblem) -> Int64? {
    guard let text = request.queryValue(name), !text.isEmpty else { return nil }
    guard let value = Int64(text), value >= 0 else { throw .arguments }
    return value
  }

  private mutating func writeCandles(
    _ request: VenueRequest, at now: Timestamp, to writer: inout JSONWriter
  ) throws(KrakenCallProblem) {
    let index = try pair(of: request, at: now)
    let minutes = try integer(request, "interval") ?? 1
    guard Self.candleMinutes.contains(minutes) else { throw .arguments }
    let since = try integer(request, "since") ?? -1
    let minute = MarketTape.minute(MarketTape.microseconds(market.settled(now)))
    let rows = tapes[index].candles(minutes: minutes, count: Self.candleRows, at: minute)
    writer.object { writer in
      writer.key(text: pairs[index].internalKey)
      writer.beginArray()
      // The forming row is always included.
      for row in rows where row.start * 60 > since || row.start == rows.last?.start {
        KrakenText.candle(&writer, pairs[index], row.start * 60, row.candle)
      }
      writer.endArray()
      writer.member("last", (rows.last?.start ?? 0) * 60 - minutes * 60)
    }
  }

  private mutating func writeTrades(
    _ request: VenueRequest, at now: Timestamp, to writer: inout JSONWriter
  ) throws(KrakenCallProblem) {
    let index = try pair(of: request, at: now)
    let limit = try integer(request, "count") ?? Self.tradeRows
    guard (1...Self.tradeRows).contains(limit) else { throw .arguments }
    let since = try integer(request, "since")
    let trades =
      since.map { tapes[index].trades(after: $0, limit: Int(limit)) }
      ?? tapes[index].latest(Int(limit))
    writer.object { writer in
      writer.key(text: pairs[index].internalKey)
      writer.array(trades) { KrakenText.trade(&$0, pairs[index], $1) }
      writer.member("last", String(trades.last?.nanoseconds ?? since ?? 0))
    }
  }

  /// The best levels; a closed book opens, as for a subscription.
  private mutating func writeBook(
    _ request: VenueRequest, at now: Timestamp, to writer: inout JSONWriter
  ) throws(KrakenCallProblem) {
    let index = try pair(of: request, at: now)
    let depth = try integer(request, "count") ?? 100
    guard (1...Self.bookRows).contains(depth) else { throw .arguments }
    open(index, at: now)
    let book = KrakenTopBook(market.instruments[index], pairs[index], depth: Int(depth))
    writer.object { writer in
      writer.key(text: pairs[index].internalKey)
      KrakenText.levels(&writer, book, pairs[index], at: now)
    }
  }

  private mutating func writeTickers(
    _ request: VenueRequest, at now: Timestamp, to writer: inout JSONWriter
  ) throws(KrakenCallProblem) {
    let wantsTokens = request.queryValue("asset_class") == Self.tokenClass
    let tradable = directory.tradable
    let places = try wanted(request) ?? (wantsTokens ? tradable.tokens : tradable.currencies)
    let settled = market.settled(now)
    writer.object { writer in
      for place in places {
        writer.key(text: directory.pairs[place].internalKey)
        let index = index(at: place)
        tell(index, until: now)
        writer.raw(tickerRow(of: index, at: settled))
      }
    }
  }

  /// A pair's figures; for a closed book they are cached until the next minute or trade.
  private mutating func tickerRow(of index: Int, at now: Timestamp) -> [UInt8] {
    let minute = MarketTape.minute(MarketTape.microseconds(now))
    let lastTrade = tapes[index].lastIdentifier
    let isClosed = quiet[index]?.told != nil
    if isClosed, let row = quiet[index]?.row, row.minute == minute, row.lastTrade == lastTrade {
      return row.bytes
    }
    let midnight = PastTrading.divide(minute, 1440) * 1440
    var writer = JSONWriter(capacity: 512)
    KrakenText.day(
      &writer, pairs[index], top(of: index, at: now), tapes[index].last,
      today: tapes[index].summary(from: midnight, at: minute), day: summary(of: index, at: now))
    quiet[index]?.row =
      isClosed ? KrakenTickerRow(minute: minute, lastTrade: lastTrade, bytes: writer.bytes) : nil
    return writer.bytes
  }

  private func writePairs(
    _ request: VenueRequest, to writer: inout JSONWriter
  ) throws(KrakenCallProblem) {
    guard let places = try wanted(request) else {
      let wantsTokens = request.queryValue("aclass_base") == Self.tokenClass
      return writer.raw(wantsTokens ? directory.assetPairs.tokens : directory.assetPairs.currencies)
    }
    writer.raw(KrakenText.assetPairs(places.map { directory.pairs[$0] }))
  }

  /// The pairs that a call names, by their places in the directory; nil when it names none.
  private func wanted(_ request: VenueRequest) throws(KrakenCallProblem) -> [Int]? {
    guard let names = request.queryValue("pair"), !names.isEmpty else { return nil }
    var places: [Int] = []
    for name in names.split(separator: ",").prefix(KrakenRequest.maximumSymbols) {
      guard let place = directory.names[String(name)] else { throw .unknownPair }
      if !places.contains(place) { places.append(place) }
    }
    return places
  }

  static let candleMinutes: [Int64] = [1, 5, 15, 30, 60, 240, 1440, 10_080, 21_600]
  /// Candles in a response, including the forming one.
  static let candleRows: Int64 = 721
  /// The asset class that calls about tokens for shares must name.
  private static let tokenClass = "tokenized_asset"
  static let tradeRows: Int64 = 1000
  /// Levels a side in a response.
  static let bookRows: Int64 = 500
}
