import Foundation
import MarketModel
import OrderBook
import Testing

@testable import VenueProtocols

/// Drives a Binance session as a host would, with messages in short notation, and records its
/// effects.
struct BinanceHarness: BookHarness {
  static let bitcoin = Symbol(known: "BTCUSDT")
  static let usual = bitcoin

  var session = BinanceSession(origin: .simulated)
  var milliseconds: Int64 = 1000
  var effects: [SessionEffect] = []
  var wall: Timestamp?

  /// A connected session with these subscriptions.
  init(wanting wanted: Subscription..., isOpen: Bool = true) {
    input(.wanted(Set(wanted)))
    if isOpen { input(.opened) }
  }

  /// "SUBSCRIBE btcusdt@trade #1" and "GET /api/v3/depth?…", in the order sent,
  /// without requests for the list.
  var sent: [String] {
    effects.compactMap { effect in
      if case .fetch(let request) = effect {
        return request.path == InstrumentList.binance.path ? nil : "GET \(request.path)"
      }
      guard case .send(let message) = effect,
        let object = try? JSONSerialization.jsonObject(with: Data(message.bytes)),
        let members = object as? [String: Any], let method = members["method"] as? String
      else { return nil }
      let streams = members["params"] as? [String] ?? []
      return "\(method) \(streams.joined(separator: ",")) #\(members["id"] as? Int ?? -1)"
    }
  }

  var isReconnecting: Bool { effects.contains { if case .reconnect = $0 { true } else { false } } }

  /// Waits second by second until it requests a snapshot, for a minute and a half at most; returns
  /// the seconds.
  @discardableResult
  mutating func waitForDepth() -> Int? {
    for second in 1...90 {
      wait(1000)
      if sent.contains(Self.depth) { return second }
    }
    return nil
  }

  static let depth = "GET /api/v3/depth?symbol=BTCUSDT&limit=1000"
  static let details = "GET /api/v3/exchangeInfo?symbol=BTCUSDT&showPermissionSets=false"

  // MARK: Messages

  /// An update; sides as "100.5×0.1 99×2".
  static func update(
    _ first: Int64, _ last: Int64, bids: String = "", asks: String = "",
    symbol: String = "BTCUSDT"
  ) -> String {
    #"{"stream":"\#(symbol.lowercased())@depth@100ms","data":{"e":"depthUpdate","#
      + #""E":1787612486107,"s":"\#(symbol)","U":\#(first),"u":\#(last),"#
      + #""b":[\#(rows(bids))],"a":[\#(rows(asks))]}}"#
  }

  /// A response with a snapshot.
  static func snapshot(
    _ last: Int64, bids: String = "", asks: String = "", symbol: String = "BTCUSDT"
  ) -> String {
    response(
      .depth(Symbol(symbol) ?? bitcoin),
      body: #"{"lastUpdateId":\#(last),"bids":[\#(rows(bids))],"#
        + #""asks":[\#(rows(asks))]}"#)
  }

  static func response(
    _ request: BinanceRequest, status: Int = 200, wait: Int? = nil, body: String = ""
  ) -> String {
    let response = FetchedResponse(
      path: request.path, status: status, retryAfterSeconds: wait, body: Array(body.utf8))
    return String(decoding: response.message, as: UTF8.self)
  }

  static func listing(tick: String, step: String, status: String = "TRADING") -> String {
    response(
      .details(bitcoin),
      body: #"{"timezone":"UTC","symbols":[{"symbol":"BTCUSDT","#
        + #""status":"\#(status)","filters":[{"filterType":"PRICE_FILTER","tickSize":"\#(tick)"},"#
        + #"{"filterType":"LOT_SIZE","stepSize":"\#(step)"}]}]}"#)
  }

  private static func padded(_ text: Substring) -> String {
    guard text.contains(".") else { return text + ".00000000" }
    let digits = text.split(separator: ".")[1].count
    return text + String(repeating: "0", count: max(0, 8 - digits))
  }

  private static func rows(_ text: String) -> String {
    text.split(separator: " ").map { level in
      let parts = level.split(separator: "×")
      return #"["\#(padded(parts[0]))","\#(padded(parts[1]))"]"#
    }.joined(separator: ",")
  }

  /// The second stream's best levels.
  static func best(_ update: Int64, bid: String, ask: String) -> String {
    let (bid, ask) = (bid.split(separator: "×"), ask.split(separator: "×"))
    return #"{"stream":"btcusdt@bookTicker","data":{"u":\#(update),"s":"BTCUSDT","#
      + #""b":"\#(bid[0])","B":"\#(bid[1])","a":"\#(ask[0])","A":"\#(ask[1])"}}"#
  }

  /// A trade "12 buy 100.5 0.2": number, side, price, size.
  static func trade(_ text: String) -> String {
    let parts = text.split(separator: " ")
    let time = 100 + (Int(parts[0]) ?? 0) % 900
    return #"{"stream":"btcusdt@trade","data":{"e":"trade","E":1787612486999,"s":"BTCUSDT","#
      + #""t":\#(parts[0]),"p":"\#(padded(parts[2]))","q":"\#(padded(parts[3]))","#
      + #""T":1787612486\#(time),"m":\#(parts[1] == "sell"),"M":true}}"#
  }

  static func ticker(_ members: String) -> String {
    #"{"stream":"btcusdt@ticker","data":{"e":"24hrTicker","E":1,"s":"BTCUSDT",\#(members)}}"#
  }
}
