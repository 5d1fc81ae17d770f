public import MarketModel
import OrderMatching
import WireJSON

/// A simulated BitMEX with XBTUSD, ETHUSD and SOLUSD, its realtime API and public REST API.
///
/// Clients written for BitMEX connect unchanged. The markets move on their own schedule from the
/// start on, with or without subscribers: a seed always gives the same markets, and each change is
/// encoded once for all subscribers. After a pause of the host longer than three seconds the books
/// are rebuilt, and the streams send the differences: catching up is short, and there is no gap.
public struct SimulatedBitMEX: SimulatedVenue {
  /// Maximum bytes of a client's message; a longer one closes the connection with 1009.
  public static let maximumMessageBytes = 16 * 1024
  static let publishMilliseconds: Int64 = 100
  static let throttleMilliseconds: Int64 = 5000
  /// The number of the agents' first trade; BitMEX publishes no numbers.
  private static let firstTrade: Int64 = 1_000_000_000

  /// The years whose rows are sent.
  public let generation: BitMEXGeneration
  var market: SimulatedMarket
  /// Each instrument's trades from its listing on.
  var tapes: [MarketTape]
  var markets: [BitMEXMarket]
  var clients = BitMEXClients()
  var text: BitMEXText
  var rest = BitMEXRestBudget()
  /// The published tops of books with subscribers, by depth and instrument.
  var published: [Int: [Int: BitMEXTopBook]] = [:]
  var publishedTen: [Int: [BitMEXLevel]] = [:]
  var publishDue: Timestamp
  var throttleDue: Timestamp
  var moved: Timestamp

  /// Opens the markets, which takes a few milliseconds.
  ///
  /// Their agents trade for a minute before `start`; a formula gives earlier trades.
  public init(
    seed: UInt64, start: Timestamp, generation: BitMEXGeneration = .modern,
    markets choice: OpenedMarkets = .all
  ) {
    self.generation = generation
    let instruments = choice.of(BitMEXInstrument.all(generation))
    var market = SimulatedMarket(seed: seed, start: start, instruments.map(\.listing))
    let past = market.takePast()
    tapes = instruments.indices.map { market.tape(of: $0, first: SimulatedBitMEX.firstTrade) }
    for (index, events) in past.enumerated() {
      for event in events { _ = tapes[index].record(event.trades, at: market.time(of: event)) }
    }
    markets = instruments.enumerated().map { index, instrument in
      BitMEXMarket(
        instrument, market.instruments[index],
        past: past[index].map { (market.time(of: $0), $0) }, generation: generation, seed: seed,
        start: start)
    }
    self.market = market
    moved = start
    text = BitMEXText(generation)
    publishDue = start.adding(milliseconds: SimulatedBitMEX.publishMilliseconds)
    throttleDue = start.adding(milliseconds: SimulatedBitMEX.throttleMilliseconds)
  }

  /// Refuses every path but `/realtime` and `/realtimePlatform` with 404.
  public mutating func refusal(of request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    if ["/realtime", "/realtimePlatform"].contains(request.path) { return nil }
    return BitMEXRest.error(404, "Not Found")
  }

  /// Welcomes the client and carries out the subscriptions of the URL.
  public mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] {
    catchUpUnheard(to: now)
    clients.add(client)
    var effects: [VenueEffect] = [
      .send(to: [client], bytes: welcome(at: now), binary: false)
    ]
    guard let topics = request.queryValue("subscribe"), !topics.isEmpty else { return effects }
    let list = topics.split(separator: ",").map(String.init)
    guard list.count <= BitMEXRequest.maximumArguments,
      list.allSatisfy({ $0.utf8.count <= BitMEXRequest.maximumArgumentBytes })
    else { return effects + refuse(client, 400, "Invalid subscribe query", nil) }
    effects += subscribe(client, BitMEXRequest(subscribing: list), at: now)
    return effects
  }

  /// Handles `ping` and commands; anything else is an error, and too many errors disconnect.
  public mutating func receive(
    _ bytes: [UInt8], binary: Bool, from client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    guard clients.contains(client) else { return [] }
    catchUpUnheard(to: now)
    guard bytes.count <= SimulatedBitMEX.maximumMessageBytes else {
      return [.close(client, code: 1009, reason: "message too big")]
    }
    if bytes.elementsEqual("ping".utf8) {
      return [.send(to: [client], bytes: Array("pong".utf8), binary: false)]
    }
    do {
      return carryOut(try BitMEXRequest(bytes), of: client, at: now)
    } catch {
      return refuse(client, 400, "Unable to read the request: \(error.reason.rawValue)", nil)
    }
  }

  /// Removes the client and its subscriptions.
  public mutating func disconnect(_ client: ClientID) { clients.remove(client) }

  /// The next step of a market or, while a throttled table has subscribers, its publication.
  ///
  /// Without subscribers the market is moved once a second.
  public var nextEvent: Timestamp? {
    guard clients.areListening else { return moved.adding(milliseconds: 1000) }
    let next = market.due ?? publishDue
    return isPublishing ? min(next, publishDue, throttleDue) : next
  }

  private func welcome(at now: Timestamp) -> [UInt8] {
    var text = BitMEXText(generation)
    text.raw("{\"info\":\"Welcome to the BitMEX Realtime API.\",\"version\":\"2.0.0\"")
    text.raw(",\"timestamp\":")
    text.time(now.milliseconds)
    text.raw(",\"docs\":\"https://www.bitmex.com/app/wsAPI\",\"heartbeatEnabled\":false")
    text.raw(generation == .legacy ? "}" : ",\"appName\":\"ws-feedhandler\"}")
    return text.bytes
  }
}

/// A level of a simulated book, for comparison with the book of a client.
public struct SimulatedBookLevel: Sendable, Equatable {
  /// The price exactly as in the rows.
  public let price: String
  /// Contracts.
  public let size: Int64

  /// Creates a level.
  public init(price: String, size: Int64) {
    self.price = price
    self.size = size
  }
}

extension SimulatedBitMEX {
  /// The listed symbols.
  public var symbols: [String] { markets.map(\.instrument.symbol) }

  /// An instrument's current levels, each side best first, in O(levels); nil if unknown.
  public func bookLevels(
    _ symbol: String
  ) -> (bids: [SimulatedBookLevel], asks: [SimulatedBookLevel])? {
    guard let market = markets.first(where: { $0.instrument.symbol == symbol }) else { return nil }
    var text = BitMEXText(generation)
    let sides = [market.bids, market.asks].map { side in
      side.levels.reversed().map { level in
        text.removeAll()
        text.float(market.instrument.price(level.ticks))
        return SimulatedBookLevel(
          price: String(decoding: text.bytes, as: UTF8.self), size: level.size)
      }
    }
    return (sides[0], sides[1])
  }
}

// MARK: - Partials

// The snapshot that a subscription starts with.

extension SimulatedBitMEX {
  /// The partial of a topic; `filter` is the symbol that the client requested.
  mutating func partial(_ topic: BitMEXTopic, filter: String?, at now: Timestamp) -> [UInt8] {
    text.removeAll()
    head(topic.table, filter)
    let indexes: [Int] =
      switch topic.scope {
      case .all: Array(markets.indices)
      case .one(let index): [index]
      case .none: []
      }
    for index in indexes { rows(of: topic.table, index, at: now) }
    text.dropComma()
    text.raw("]}")
    return text.bytes
  }

  private mutating func head(_ table: SimulatedBitMEXTable, _ filter: String?) {
    text.raw("{\"table\":\"")
    text.raw(table.rawValue.utf8)
    text.raw("\",\"action\":\"partial\",\"keys\":")
    text.raw(table.keys)
    text.raw(",\"types\":")
    text.raw(table.types(generation))
    if generation == .legacy {
      text.raw(",\"foreignKeys\":")
      text.raw(table.foreignKeys)
      text.raw(",\"attributes\":")
      text.raw(table.attributes)
    }
    text.raw(",\"filter\":{")
    if let filter {
      // The only text of a client here, so it is written as JSON.
      var writer = JSONWriter()
      writer.string(filter)
      text.raw("\"symbol\":")
      text.raw(writer.bytes)
    }
    text.raw("},\"data\":[")
  }

  private mutating func rows(of table: SimulatedBitMEXTable, _ index: Int, at now: Timestamp) {
    let market = markets[index]
    switch table {
    case .orderBookL2:
      text.reserve((market.asks.count + market.bids.count) * 170)
      wholeBook(market, at: now)
    case .orderBookL2_25, .orderBookL2_100:
      for row in published[table.depth ?? 0]?[index]?.rows ?? [] {
        text.level(row, market.instrument, nil, milliseconds: now.milliseconds)
      }
    case .orderBook10: text.topTen(market, milliseconds: now.milliseconds)
    case .trade: if let last = market.lastTrade { text.trade(last, market.instrument) }
    case .quote: text.quote(market)
    case .instrument: text.instrument(market)
    default: break
    }
  }

  private mutating func wholeBook(_ market: BitMEXMarket, at now: Timestamp) {
    for level in market.asks.levels {
      let row = SimulatedBitMEXRow(isAsk: true, level: level)
      text.level(row, market.instrument, nil, milliseconds: now.milliseconds)
    }
    for level in market.bids.levels.reversed() {
      let row = SimulatedBitMEXRow(isAsk: false, level: level)
      text.level(row, market.instrument, nil, milliseconds: now.milliseconds)
    }
  }
}

// MARK: - REST

// On the same port as the WebSocket.

extension SimulatedBitMEX {
  private static let prefix = "/api/v1/"

  /// Responds to paths under `/api/v1/`; nil for any other path.
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

struct BitMEXRestProblem: Error {
  let status: Int
  let message: String
}
