import Foundation
public import MarketModel
import VenueProtocols
import VenueSimulator

/// The book messages that a client of the simulated Kraken's BTC/USD receives in some minutes.
public func bookMessages(depth: Int, minutes: Int, from start: Timestamp) -> [[UInt8]] {
  var now = start
  var venue = SimulatedKraken(seed: 7, start: now)
  let client = ClientID(1)
  _ = venue.connect(client, VenueRequest(path: "/v2"), at: now)
  let request =
    #"{"method":"subscribe","params":{"channel":"book","symbol":["BTC/USD"],"depth":\#(depth)}}"#
  var effects = venue.receive(Array(request.utf8), binary: false, from: client, at: now)
  for _ in 0..<(minutes * 60) {
    now = Timestamp(nanoseconds: now.nanoseconds + 1_000_000_000)
    effects += venue.receive(
      Array(#"{"method":"ping"}"#.utf8), binary: false, from: client, at: now)
    effects += venue.advance(to: now)
  }
  return effects.compactMap { effect in
    guard case .send(_, let bytes, _) = effect,
      bytes.starts(with: Array(#"{"channel":"book""#.utf8))
    else { return nil }
    return bytes
  }
}

/// A market whose book a venue's decoder is measured by.
public struct BookFeed: Sendable {
  /// The venue.
  public let venue: Venue
  /// The market.
  public let symbol: String
  let path: String
  let request: String
  let ping: String?

  /// BTC in dollars or tethers at each venue with a spot book, as the application subscribes to it.
  public static let all = [
    BookFeed(
      venue: .kraken, symbol: "BTC/USD", path: "/v2",
      request:
        #"{"method":"subscribe","params":{"channel":"book","symbol":["BTC/USD"],"depth":100}}"#,
      ping: #"{"method":"ping"}"#),
    BookFeed(
      venue: .coinbase, symbol: "BTC-USD", path: "/advanced",
      request: #"{"type":"subscribe","channel":"level2","product_ids":["BTC-USD"]}"#, ping: nil),
    BookFeed(
      venue: .okx, symbol: "BTC-USDT", path: "/ws/v5/public",
      request: #"{"op":"subscribe","args":[{"channel":"books","instId":"BTC-USDT"}]}"#,
      ping: "ping"),
    BookFeed(
      venue: .bybit, symbol: "BTCUSDT", path: "/v5/public/spot",
      request: #"{"op":"subscribe","args":["orderbook.50.BTCUSDT"]}"#, ping: #"{"op":"ping"}"#),
    BookFeed(
      venue: .binance, symbol: "BTCUSDT", path: "/stream",
      request: #"{"method":"SUBSCRIBE","params":["btcusdt@depth@100ms"],"id":1}"#, ping: nil),
  ]

  /// All JSON messages that a client of the simulated book receives in some minutes.
  ///
  /// Binance's snapshot follows its first update, as a recording has it.
  public func messages(minutes: Int, from start: Timestamp) -> [[UInt8]] {
    var now = start
    guard var simulation = SimulatedVenues.make(seed: 7, start: now, venues: [venue]).all[venue]
    else { return [] }
    let client = ClientID(1)
    var messages: [[UInt8]] = []
    func keep(_ effects: [VenueEffect]) {
      for case .send(_, let bytes, _) in effects where bytes.first == UInt8(ascii: "{") {
        messages.append(bytes)
      }
    }
    keep(simulation.connect(client, VenueRequest(path: path), at: now))
    keep(simulation.receive(Array(request.utf8), binary: false, from: client, at: now))
    for second in 0..<(minutes * 60) {
      now = Timestamp(nanoseconds: now.nanoseconds + 1_000_000_000)
      // As often as the application does.
      if let ping, second % 20 == 0 {
        keep(simulation.receive(Array(ping.utf8), binary: false, from: client, at: now))
      }
      keep(simulation.advance(to: now))
      guard second == 0, venue.adapter.fetchesSnapshots else { continue }
      let path = "/api/v3/depth?symbol=\(symbol)&limit=1000"
      let query = [(name: "symbol", value: symbol), (name: "limit", value: "1000")]
      let request = VenueRequest(path: "/api/v3/depth", query: query)
      if let response = simulation.respond(to: request, at: now) {
        let fetched = FetchedResponse(path: path, status: response.status, body: response.body)
        messages.append(Array(fetched.message))
      }
    }
    return messages
  }
}
