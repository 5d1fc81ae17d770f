import Foundation
import MarketModel
import OrderBook
import Testing

@testable import VenueProtocols

/// Drives an OKX session as a host would, with messages in short notation, and records its effects.
struct OKXHarness: BookHarness {
  static let bitcoin = Symbol(known: "BTC-USDT")
  static let usual = bitcoin

  var session = OKXSession(origin: .simulated)
  var milliseconds: Int64 = 1000
  var effects: [SessionEffect] = []
  var wall: Timestamp?

  /// A connected session with these subscriptions.
  init(wanting wanted: Subscription..., isOpen: Bool = true) {
    input(.wanted(Set(wanted)))
    if isOpen { input(.opened) }
  }

  /// "subscribe books BTC-USDT, trades BTC-USDT", in the order sent,
  /// without requests for the list.
  var sent: [String] {
    effects.compactMap { effect in
      if case .fetch(let request) = effect {
        return request.path == InstrumentList.okx.path ? nil : "GET \(request.path)"
      }
      guard case .send(let message) = effect else { return nil }
      return Self.summary(String(decoding: message.bytes, as: UTF8.self))
    }
  }

  private static func summary(_ text: String) -> String {
    guard text.hasPrefix("{") else { return text }
    func values(_ part: Substring, _ key: String) -> String {
      guard let start = part.firstRange(of: "\"\(key)\":\"")?.upperBound else { return "" }
      return String(part[start...].prefix { $0 != "\"" })
    }
    let topics = text.split(separator: "{\"channel\":").dropFirst().map { part in
      let channel = part.dropFirst().prefix { $0 != "\"" }
      return "\(channel) \(values(part, "instId"))".trimmingCharacters(in: .whitespaces)
    }
    return "\(values(text[...], "op")) \(topics.joined(separator: ", "))"
  }

  // MARK: Messages

  /// A book message; sides as "100.5×0.1 99×2".
  static func book(
    _ action: String, bids: String = "", asks: String = "", _ sequence: Int64? = nil,
    after previous: Int64? = -1, checksum: Int64? = 0, symbol: String = "BTC-USDT"
  ) -> String {
    var rest = ""
    if let checksum { rest += #","checksum":\#(checksum)"# }
    if let sequence { rest += #","seqId":\#(sequence)"# }
    if let previous { rest += #","prevSeqId":\#(previous)"# }
    return #"{"arg":{"channel":"books","instId":"\#(symbol)"},"action":"\#(action)","data":["#
      + #"{"asks":[\#(rows(asks))],"bids":[\#(rows(bids))],"ts":"1787612486107"\#(rest)}]}"#
  }

  /// A response over HTTP with a book.
  static func fetched(bids: String = "", asks: String = "", _ sequence: Int64) -> String {
    response(
      200,
      #"{"code":"0","msg":"","data":[{"asks":[\#(rows(asks))],"bids":[\#(rows(bids))],"#
        + #""ts":"1787612486107","seqId":\#(sequence)}]}"#)
  }

  /// A response to the request for the book.
  static func response(_ status: Int, _ body: String) -> String {
    let response = FetchedResponse(
      path: "/api/v5/market/books?instId=BTC-USDT&sz=400&source=0", status: status,
      body: Array(body.utf8))
    return String(decoding: response.message, as: UTF8.self)
  }

  /// The second stream's best levels.
  static func best(
    bid: String = "", ask: String = "", _ sequence: Int64, channel: String = "bbo-tbt"
  ) -> String {
    #"{"arg":{"channel":"\#(channel)","instId":"BTC-USDT"},"data":[{"asks":[\#(rows(ask))],"#
      + #""bids":[\#(rows(bid))],"ts":"1787612486107","seqId":\#(sequence)}]}"#
  }

  private static func rows(_ text: String) -> String {
    text.split(separator: " ").map { level in
      let parts = level.split(separator: "×")
      return #"["\#(parts[0])","\#(parts[1])","0","\#(parts[1] == "0" ? 0 : 3)"]"#
    }.joined(separator: ",")
  }

  /// A trade "12 buy 100.5 0.2", which covers this many numbers.
  static func trade(_ text: String, count: Int? = 1) -> String {
    let parts = text.split(separator: " ")
    let covered = count.map { #","count":"\#($0)""# } ?? ""
    let time = 100 + (Int(parts[0]) ?? 0) % 900
    return #"{"arg":{"channel":"trades","instId":"BTC-USDT"},"data":[{"instId":"BTC-USDT","#
      + #""tradeId":"\#(parts[0])","px":"\#(parts[2])","sz":"\#(parts[3])","#
      + #""side":"\#(parts[1])","ts":"1787612486\#(time)"\#(covered)}]}"#
  }

  static func event(
    _ event: String, _ channel: String, code: String? = nil, symbol: String = "BTC-USDT"
  ) -> String {
    if let code {
      return #"{"event":"error","msg":"Wrong URL or channel:\#(channel),instId:\#(symbol) "#
        + #"doesn't exist.","code":"\#(code)","connId":"94d38802"}"#
    }
    return #"{"event":"\#(event)","arg":{"channel":"\#(channel)","instId":"\#(symbol)"},"#
      + #""connId":"94d38802"}"#
  }

  static func ticker(_ members: String) -> String {
    #"{"arg":{"channel":"tickers","instId":"BTC-USDT"},"data":[{"instId":"BTC-USDT",\#(members)}]}"#
  }
}
