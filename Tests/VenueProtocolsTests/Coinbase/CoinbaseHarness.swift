import Foundation
import MarketModel
import Testing

@testable import VenueProtocols

/// Drives a Coinbase session as a host would, with messages in short notation, and records its
/// effects.
struct CoinbaseHarness: BookHarness {
  static let bitcoin = symbol("BTC-USD")
  static let ether = symbol("ETH-USD")
  static let usual = bitcoin

  var session = CoinbaseSession(origin: .simulated)
  var milliseconds: Int64 = 1000
  var effects: [SessionEffect] = []
  var wall: Timestamp?
  /// The number of the venue's next message.
  var next: Int64 = 0

  static func symbol(_ text: String) -> Symbol {
    guard let symbol = Symbol(text) else { preconditionFailure("\(text) is no symbol") }
    return symbol
  }

  /// A session with these subscriptions, greeted and with the products' steps.
  init(wanting wanted: Subscription..., isOpen: Bool = true) {
    input(.wanted(Set(wanted)))
    guard isOpen else { return }
    open()
  }

  mutating func open() {
    next = 0
    input(.opened)
    say(Self.subscriptions)
  }

  /// A message with the next number.
  @discardableResult
  mutating func say(_ message: (channel: String, events: String)) -> [SessionEffect] {
    let text = Self.text(message, number: next)
    next += 1
    return receive(text)
  }

  /// "subscribe level2 BTC-USD" and similar, in the order sent.
  var sent: [String] {
    effects.compactMap { effect in
      guard case .send(let message) = effect,
        let object = try? JSONSerialization.jsonObject(with: Data(message.bytes))
          as? [String: Any]
      else { return nil }
      let products = object["product_ids"] as? [String] ?? []
      let words = [object["type"] as? String, object["channel"] as? String] + products
      return words.compactMap { $0 }.joined(separator: " ")
    }
  }

  var reconnects: Bool { effects.contains { if case .reconnect = $0 { true } else { false } } }

  // MARK: Messages

  static func text(_ message: (channel: String, events: String), number: Int64) -> String {
    #"{"channel":"\#(message.channel)","timestamp":"2026-08-24T22:34:13.793075885Z","#
      + #""sequence_num":\#(number),"events":[\#(message.events)]}"#
  }

  static let subscriptions = (
    channel: "subscriptions", events: #"{"subscriptions":{"heartbeats":["heartbeats"]}}"#
  )
  static let heartbeat = (
    channel: "heartbeats",
    events: #"{"current_time":"2024-10-04 07:04:40 +0000 UTC m=+1","heartbeat_counter":66987}"#
  )

  static func status(
    _ product: String = "BTC-USD", price: String = "0.01", size: String = "0.00000001",
    status: String = "online"
  ) -> (channel: String, events: String) {
    (
      "status",
      #"{"type":"snapshot","products":[{"product_type":"SPOT","id":"\#(product)","#
        + #""base_increment":"\#(size)","quote_increment":"\#(price)","status":"\#(status)"}]}"#
    )
  }

  /// A book message; sides as "100.5×0.1 99×2".
  static func book(
    _ type: String, bids: String = "", asks: String = "", of product: String = "BTC-USD"
  ) -> (channel: String, events: String) {
    let rows = levels("bid", bids) + levels("offer", asks)
    return (
      "l2_data",
      #"{"type":"\#(type)","product_id":"\#(product)","updates":[\#(rows.joined(separator: ","))]}"#
    )
  }

  private static func levels(_ side: String, _ text: String) -> [String] {
    text.split(separator: " ").map { level in
      let parts = level.split(separator: "×")
      return #"{"side":"\#(side)","event_time":"2026-08-24T22:34:13.788063Z","#
        + #""price_level":"\#(parts[0])","new_quantity":"\#(parts[1])"}"#
    }
  }

  /// Trades, newest first, as "8 BUY 100.5 0.4" with the maker's side.
  static func trades(
    _ type: String, _ rows: String..., of product: String = "BTC-USD"
  ) -> (channel: String, events: String) {
    let trades = rows.map { row in
      let parts = row.split(separator: " ")
      return #"{"product_id":"\#(product)","trade_id":"\#(parts[0])","price":"\#(parts[2])","#
        + #""size":"\#(parts[3])","time":"1970-01-01T00:00:00.5Z","side":"\#(parts[1])"}"#
    }
    return ("market_trades", #"{"type":"\#(type)","trades":[\#(trades.joined(separator: ","))]}"#)
  }

  static func ticker(
    _ type: String, _ members: String, of product: String = "BTC-USD"
  ) -> (channel: String, events: String) {
    (
      "ticker",
      #"{"type":"\#(type)","tickers":[{"type":"ticker","product_id":"\#(product)",\#(members)}]}"#
    )
  }
}

/// Captured messages of the venue.
enum CoinbasePayloads {
  static func lines(_ name: String) throws -> [String] {
    try text(name).split(separator: "\n").map(String.init)
  }

  static func text(_ name: String) throws -> String {
    let url = Bundle.module.url(
      forResource: name, withExtension: nil, subdirectory: "Payloads/coinbase")
    return try String(contentsOf: try #require(url, "payload \(name)"), encoding: .utf8)
  }
}
