import Foundation
import MarketModel
import OrderBook
import Testing

@testable import VenueProtocols

/// Drives a Bybit session as a host would, with messages in short notation, and records its
/// effects.
struct BybitHarness: BookHarness {
  static let bitcoin = Symbol(known: "BTCUSDT")
  static let usual = bitcoin

  var session = BybitSession<BybitSpot>(origin: .simulated)
  var milliseconds: Int64 = 1000
  var effects: [SessionEffect] = []
  var wall: Timestamp?

  /// A connected session with these subscriptions.
  init(wanting wanted: Subscription..., isOpen: Bool = true) {
    input(.wanted(Set(wanted)))
    if isOpen { input(.opened) }
  }

  /// "subscribe orderbook.50.BTCUSDT,publicTrade.BTCUSDT #1", in the order sent.
  var sent: [String] {
    effects.compactMap { effect in
      guard case .send(let message) = effect,
        let object = try? JSONSerialization.jsonObject(with: Data(message.bytes)),
        let members = object as? [String: Any], let operation = members["op"] as? String
      else { return nil }
      guard let topics = members["args"] as? [String], let number = members["req_id"] as? String
      else { return operation }
      return "\(operation) \(topics.joined(separator: ",")) #\(number)"
    }
  }

  // MARK: Messages

  /// A book message; sides as "100.5×0.1 99×2".
  static func book(
    _ type: String, bids: String = "", asks: String = "", _ update: Int64, sequence: Int64? = nil,
    depth: Int = 50, symbol: String = "BTCUSDT"
  ) -> String {
    #"{"topic":"orderbook.\#(depth).\#(symbol)","ts":1787612486096,"type":"\#(type)","data":{"#
      + #""s":"\#(symbol)","b":[\#(rows(bids))],"a":[\#(rows(asks))],"u":\#(update),"#
      + #""seq":\#(sequence ?? update * 10)},"cts":1787612486094}"#
  }

  private static func rows(_ text: String) -> String {
    text.split(separator: " ").map { level in
      let parts = level.split(separator: "×")
      return #"["\#(parts[0])","\#(parts[1])"]"#
    }.joined(separator: ",")
  }

  /// Trades "12 Buy 100.5 0.2": identifier, side, price, size.
  static func trades(_ rows: String...) -> String {
    let data = rows.map { text -> String in
      let parts = text.split(separator: " ")
      let time = 100 + (Int(parts[0]) ?? 0) % 900
      return #"{"i":"\#(parts[0])","T":1787612486\#(time),"p":"\#(parts[2])","v":"\#(parts[3])","#
        + #""S":"\#(parts[1])","seq":7,"s":"BTCUSDT","BT":false,"RPI":false}"#
    }
    return #"{"topic":"publicTrade.BTCUSDT","ts":1787612486996,"type":"snapshot","#
      + #""data":[\#(data.joined(separator: ","))]}"#
  }

  static func ticker(_ members: String) -> String {
    #"{"topic":"tickers.BTCUSDT","ts":1,"type":"snapshot","cs":7,"data":{\#(members)}}"#
  }

  /// The changed figures of a perpetual, in that market's order of keys.
  static func tickerDelta(_ members: String) -> String {
    #"{"topic":"tickers.BTCUSDT","type":"delta","data":{"symbol":"BTCUSDT"\#(members)},"#
      + #""cs":8,"ts":2}"#
  }

  /// A response to a request.
  static func response(
    _ operation: String, _ request: Int?, isSuccess: Bool = true, _ text: String = ""
  ) -> String {
    let number = request.map { #","req_id":"\#($0)""# } ?? ""
    return #"{"success":\#(isSuccess),"ret_msg":"\#(text)","conn_id":"x"\#(number),"#
      + #""op":"\#(operation)"}"#
  }
}

/// The same for the perpetuals.
struct BybitLinearHarness: BookHarness {
  static let bitcoin = BybitHarness.bitcoin
  static let usual = bitcoin

  var session = BybitSession<BybitLinear>(origin: .simulated)
  var milliseconds: Int64 = 1000
  var effects: [SessionEffect] = []
  var wall: Timestamp?

  /// A connected session with these subscriptions.
  init(wanting wanted: Subscription...) {
    input(.wanted(Set(wanted)))
    input(.opened)
  }
}
