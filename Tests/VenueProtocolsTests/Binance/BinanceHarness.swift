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

  /// "SUBSCRIBE btcusdt@trade #1" and "GET /api/v3/depth?…", in the order sent.
  var sent: [String] {
    effects.compactMap { effect in
      if case .fetch(let request) = effect { return "GET \(request.path)" }
      guard case .send(let message) = effect,
        let object = try? JSONSerialization.jsonObject(with: Data(message.bytes)),
        let members = object as? [String: Any], let method = members["method"] as? String
      else { return nil }
      let streams = members["params"] as? [String] ?? []
      return "\(method) \(streams.joined(separator: ",")) #\(members["id"] as? Int ?? -1)"
    }
  }

  var problems: [VenueProblem.Kind] {
    effects.compactMap {
      switch $0 {
      case .rejected(let problem), .reconnect(let problem), .refuse(let problem): problem.kind
      default: nil
      }
    }
  }

  var isReconnecting: Bool {
    effects.contains { if case .reconnect = $0 { true } else { false } }
  }

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

  // MARK: Values

  /// "100.5×0.1 | 101×2": bids, then asks, best first.
  func table(_ symbol: Symbol = bitcoin) -> String {
    book(symbol).map(OKXHarness.table) ?? "none"
  }
}

/// A captured session: messages of the stream, and responses as a host delivers them.
struct BinanceCapture {
  let symbol: Symbol
  /// By line, the first one at 0.
  let messages: [String]
  /// "bids | asks" after a line, by its number.
  let expected: [Int: String]

  init(_ name: String, _ symbol: Symbol) throws {
    self.symbol = symbol
    messages = try CapturedBooks.text(name, "binance").split(separator: "\n").map { line in
      let columns = line.split(separator: "\t", maxSplits: 2)
      guard columns.count == 3, columns[1] != "ws" else { return String(columns.last ?? "") }
      let response = FetchedResponse(
        path: String(columns[1]), status: 200, body: Array(columns[2].utf8))
      return String(decoding: response.message, as: UTF8.self)
    }
    var expected: [Int: String] = [:]
    for line in try CapturedBooks.text(name + ".expected.jsonl", "binance").split(separator: "\n") {
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let number = row?["line"] as? Int else { continue }
      func side(_ key: String) -> String {
        (row?[key] as? [[String]] ?? []).map { level in
          level.map { FixedDecimal($0)?.trimmed.description ?? "?" }.joined(separator: "×")
        }.joined(separator: " ")
      }
      let levels = (row?["levels"] as? [Int] ?? []).map(String.init).joined(separator: "/")
      expected[number] = "\(side("bids")) | \(side("asks")) | \(levels)"
    }
    self.expected = expected
  }

  /// In the form of ``expected``.
  static func table(_ view: BookView) -> String {
    func side(_ rows: [BookRow]) -> String {
      rows.prefix(20).map { row in
        let price = FixedDecimal(row.price, scale: view.priceScale).trimmed
        return "\(price)×\(FixedDecimal(row.size, scale: view.quantityScale).trimmed)"
      }.joined(separator: " ")
    }
    return "\(side(view.bids)) | \(side(view.asks)) | \(view.bidLevels)/\(view.askLevels)"
  }
}
