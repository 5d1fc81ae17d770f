// BitMEX's realtime API and the public REST answers beside it, over three instruments of the
// simulated market: faithful enough that clients written for BitMEX connect unchanged.

public import MarketModel
import OrderMatching
import WireJSON

/// A simulated BitMEX with XBTUSD, ETHUSD and SOLUSD.
///
/// The markets move on their own schedule from the start on, whether or not somebody listens: a
/// seed always gives the same markets, and each change is encoded once for all its listeners.
/// After a pause of the host longer than three seconds the books open anew, and the streams tell
/// how they differ: catching up is short work, and there is no gap.
public struct SimulatedBitMEX: SimulatedVenue {
  /// Bytes of a client's message; a longer one closes the connection with 1009.
  public static let maximumMessageBytes = 16 * 1024
  static let publishMilliseconds: Int64 = 100
  static let throttleMilliseconds: Int64 = 5000
  /// The number of the agents' first trade; BitMEX shows no numbers.
  private static let firstTrade: Int64 = 1_000_000_000

  /// Which years' rows are sent.
  public let generation: BitMEXGeneration
  /// Where the instruments trade.
  var market: SimulatedMarket
  /// Each instrument's trades from its listing on.
  var tapes: [MarketTape]
  /// The same as the clients see them.
  var markets: [BitMEXMarket]
  var clients = BitMEXClients()
  var text: BitMEXText
  var rest = BitMEXRestBudget()
  /// The published tops of books, by depth and instrument; only those that have listeners.
  var published: [Int: [Int: BitMEXTopBook]] = [:]
  var publishedTen: [Int: [BitMEXLevel]] = [:]
  var publishDue: Timestamp
  var throttleDue: Timestamp
  /// The latest time that the market was moved to.
  var moved: Timestamp

  /// Opens the markets.
  ///
  /// Costs a few milliseconds: their agents trade for a minute before `start`, and a
  /// formula before that.
  public init(seed: UInt64, start: Timestamp, generation: BitMEXGeneration = .modern) {
    self.init(seed: seed, start: start, generation, BitMEXInstrument.all(generation))
  }

  /// Opens but some of the markets, slower and smaller ones: for who simulates long times.
  package init(
    seed: UInt64, start: Timestamp, only symbols: [String], slowedBy factor: Int64, levels: Int
  ) {
    let instruments = BitMEXInstrument.all(.modern).filter { symbols.contains($0.symbol) }
    self.init(
      seed: seed, start: start, .modern,
      instruments.map { $0.slowed(by: factor, levels: levels) })
  }

  private init(
    seed: UInt64, start: Timestamp, _ generation: BitMEXGeneration,
    _ instruments: [BitMEXInstrument]
  ) {
    self.generation = generation
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

  /// Answers `ping` and commands; anything else gets an error, and twenty errors a disconnection.
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

  /// Forgets the client and its subscriptions.
  public mutating func disconnect(_ client: ClientID) { clients.remove(client) }

  /// The next step of a market or, while somebody listens to a throttled table, its publication.
  ///
  /// While nobody listens to anything the market is moved once a second.
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

/// A level of a simulated book, for comparing it with the book of a client.
public struct SimulatedBookLevel: Sendable, Equatable {
  /// The price exactly as the rows spell it.
  public let price: String
  /// Contracts.
  public let size: Int64

  /// Makes a level.
  public init(price: String, size: Int64) {
    self.price = price
    self.size = size
  }
}

extension SimulatedBitMEX {
  /// The symbols that trade.
  public var symbols: [String] { markets.map(\.instrument.symbol) }

  /// Every level of an instrument's book as it is now, each side best first; nil for an unknown
  /// symbol.
  ///
  /// O(levels).
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
