import MarketModel
import OrderBook
import VenueProtocols

/// Drives a session as a host would, with messages in short notation, and records its effects.
struct SessionHarness: BookHarness {
  static let usual: Symbol = symbol("XBTUSD")
  static let welcome = #"{"info":"Welcome to the BitMEX Realtime API.","version":"2.0.0"}"#

  var session = BitMEXSession(origin: .simulated)
  var milliseconds: Int64 = 1000
  var effects: [SessionEffect] = []
  var wall: Timestamp?

  /// A ready session with these subscriptions.
  init(wanting wanted: Subscription..., ready: Bool = true) {
    input(.wanted(Set(wanted)))
    guard ready else { return }
    open()
  }

  mutating func open() {
    input(.opened)
    receive(Self.welcome)
  }

  var sent: [String] { Self.sent(effects) }

  static func sent(_ effects: [SessionEffect]) -> [String] {
    effects.compactMap {
      guard case .send(let message) = $0 else { return nil }
      return String(decoding: message.bytes, as: UTF8.self)
    }
  }

  /// "100.5×7 100×3 | 101×2": bids, then asks, best first.
  func table(_ symbol: Symbol) -> String {
    guard let view = book(symbol) else { return "none" }
    func side(_ rows: [BookRow]) -> String {
      rows.map { row in
        let price = FixedDecimal(row.price, scale: view.priceScale).trimmed
        return "\(price)×\(row.size.units)"
      }.joined(separator: " ")
    }
    return "\(side(view.bids)) | \(side(view.asks))"
  }
}

/// Messages in short notation.
enum Wire {
  /// A row "1 Buy 100.5 7": id, side, price, size; "-" leaves a field out.
  static func row(_ text: String, symbol: String = "XBTUSD") -> String {
    let parts = text.split(separator: " ").map(String.init)
    var row = "{\"symbol\":\"\(symbol)\",\"id\":\(parts[0])"
    if parts.count > 1, parts[1] != "-" { row += ",\"side\":\"\(parts[1])\"" }
    if parts.count > 3, parts[3] != "-" { row += ",\"size\":\(parts[3])" }
    if parts.count > 2, parts[2] != "-" { row += ",\"price\":\(parts[2])" }
    return row + "}"
  }

  /// A message of the best levels instead of the book.
  static func audit(_ message: String) -> String {
    message.replacing(#""orderBookL2""#, with: #""orderBookL2_25""#)
  }

  static func partial(_ rows: String..., symbol: String = "XBTUSD") -> String {
    let data = rows.map { row($0, symbol: symbol) }.joined(separator: ",")
    return #"{"table":"orderBookL2","action":"partial","keys":["symbol","id","side"],"#
      + #""types":{},"filter":{"symbol":"\#(symbol)"},"data":[\#(data)]}"#
  }

  static func change(_ action: String, _ rows: String..., symbol: String = "XBTUSD") -> String {
    let data = rows.map { row($0, symbol: symbol) }.joined(separator: ",")
    return #"{"table":"orderBookL2","action":"\#(action)","data":[\#(data)]}"#
  }

  /// Trades "36:33.432 Buy 32184 100": minutes, seconds, milliseconds of one hour.
  static func trades(_ action: String, _ rows: String..., symbol: String = "XBTUSD") -> String {
    let data = rows.map { text -> String in
      let parts = text.split(separator: " ").map(String.init)
      let side = parts[1] == "-" ? "" : "\"side\":\"\(parts[1])\","
      return "{\"timestamp\":\"2021-07-22T22:\(parts[0])Z\",\"symbol\":\"\(symbol)\",\(side)"
        + "\"price\":\(parts[2]),\"size\":\(parts[3]),\"trdMatchID\":"
        + "\"00000000-0000-0000-0000-000000000000\"}"
    }.joined(separator: ",")
    let filter = action == "partial" ? #""filter":{"symbol":"\#(symbol)"},"# : ""
    return #"{"table":"trade","action":"\#(action)",\#(filter)"data":[\#(data)]}"#
  }

  private static let bookTopics =
    #"["orderBookL2:XBTUSD","orderBookL2_25:XBTUSD","instrument:XBTUSD"]"#
  static let subscribeBook = #"{"op":"subscribe","args":\#(bookTopics)}"#
  static let unsubscribeBook = #"{"op":"unsubscribe","args":\#(bookTopics)}"#
  static let repairAudit = [
    #"{"op":"unsubscribe","args":["orderBookL2_25:XBTUSD"]}"#,
    #"{"op":"subscribe","args":["orderBookL2_25:XBTUSD"]}"#,
  ]
  static let repair = [
    #"{"op":"unsubscribe","args":["orderBookL2:XBTUSD"]}"#,
    #"{"op":"subscribe","args":["orderBookL2:XBTUSD"]}"#,
  ]
}
