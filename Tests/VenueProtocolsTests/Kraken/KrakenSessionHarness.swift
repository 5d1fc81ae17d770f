import MarketModel
import OrderBook
import Testing

@testable import VenueProtocols

/// Drives a Kraken session as a host would, with messages in short notation, and records its
/// effects.
struct KrakenHarness: BookHarness {
  static let bitcoin = symbol("BTC/USD")
  static let usual = bitcoin
  static let online = #"{"channel":"status","type":"update","data":[{"system":"online"}]}"#
  static let maintenance =
    #"{"channel":"status","type":"update","data":[{"system":"maintenance"}]}"#
  static let heartbeat = #"{"channel":"heartbeat"}"#

  var session = KrakenSession(origin: .simulated)
  var milliseconds: Int64 = 1000
  var effects: [SessionEffect] = []
  var wall: Timestamp?

  static func symbol(_ text: String) -> Symbol {
    guard let symbol = Symbol(text) else { preconditionFailure("\(text) is no symbol") }
    return symbol
  }

  /// A session with these subscriptions, advanced to a stage.
  init(wanting wanted: Subscription..., until: Stage = .subscribed) {
    input(.wanted(Set(wanted)))
    if until == .wanting { return }
    input(.opened)
    if until == .opened { return }
    receive(Self.online)
    if until == .greeted { return }
    receive(Self.pairs())
  }

  enum Stage {
    case wanting
    case opened
    case greeted
    case subscribed
  }

  /// "subscribe book BTC/USD" and similar, in the order sent.
  var sent: [String] {
    effects.compactMap { effect in
      guard case .send(let message) = effect else { return nil }
      return Self.summary(message.bytes)
    }
  }

  /// Without identifiers of `req_id` and nil fields.
  private static func summary(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    func value(_ key: String) -> String {
      guard let start = text.firstRange(of: "\"\(key)\":")?.upperBound else { return "" }
      let rest = text[start...].prefix { $0 != "}" && $0 != "]" }
      return key == "symbol"
        ? String(rest.drop { $0 == "[" }) : String(rest.prefix { $0 != "," })
    }
    return [value("method"), value("channel"), value("symbol"), value("depth")]
      .filter { !$0.isEmpty }.joined(separator: " ").filter { $0 != "\"" }
  }

  /// The second of a trade with this number.
  private static func second(_ number: some StringProtocol) -> String {
    let second = (Int64(number) ?? 0) % 60
    return second < 10 ? "0\(second)" : "\(second)"
  }

  // MARK: Messages

  static func pairs(
    _ pairs: [(String, Int, Int)] = [("BTC/USD", 1, 8), ("ETH/USD", 2, 8)],
    type: String = "snapshot", status: String = "online"
  ) -> String {
    let rows = pairs.map {
      #"{"symbol":"\#($0.0)","status":"\#(status)","qty_precision":\#($0.2),"#
        + #""price_precision":\#($0.1)}"#
    }
    return #"{"channel":"instrument","type":"\#(type)","data":{"assets":[],"pairs":["#
      + rows.joined(separator: ",") + "]}}"
  }

  /// A book message; sides as "100.5×0.10000000 99.0×2.00000000", the checksum computed over `sum`,
  /// the levels of the whole resulting book ("bids | asks").
  static func book(
    _ type: String, bids: String = "", asks: String = "", sum: String, symbol: String = "BTC/USD"
  ) -> String {
    #"{"channel":"book","type":"\#(type)","data":[{"symbol":"\#(symbol)","bids":[\#(rows(bids))],"#
      + #""asks":[\#(rows(asks))],"checksum":\#(checksum(sum)),"#
      + #""timestamp":"2026-11-21T08:00:00.000001Z"}]}"#
  }

  private static func rows(_ text: String) -> String {
    text.split(separator: " ").map { level in
      let parts = level.split(separator: "×")
      return #"{"price":\#(parts[0]),"qty":\#(parts[1])}"#
    }.joined(separator: ",")
  }

  /// The documented algorithm over a table "bids | asks", best first.
  static func checksum(_ table: String) -> UInt32 {
    let sides = table.split(separator: "|", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").prefix(10) }
    let levels = (sides.count > 1 ? Array(sides[1]) : []) + (sides.first.map(Array.init) ?? [])
    var crc: UInt32 = .max
    for number in levels.flatMap({ $0.split(separator: "×") }) {
      for byte in number.utf8.filter({ $0 != 0x2e }).drop(while: { $0 == 0x30 }) {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
      }
    }
    return ~crc
  }

  /// Trades "5 buy 100.5 0.20000000": number, side, price, quantity.
  static func trades(_ type: String, _ rows: String..., symbol: String = "BTC/USD") -> String {
    let data = rows.map { text -> String in
      let parts = text.split(separator: " ")
      return
        #"{"symbol":"\#(symbol)","side":"\#(parts[1])","price":\#(parts[2]),"qty":\#(parts[3]),"#
        + #""ord_type":"limit","trade_id":\#(parts[0]),"#
        + #""timestamp":"2026-11-21T08:00:\#(second(parts[0])).000001Z"}"#
    }.joined(separator: ",")
    return #"{"channel":"trade","type":"\#(type)","data":[\#(data)]}"#
  }

  // MARK: Values

  /// "100.5×0.10000000 | 101.0×2.00000000": bids, then asks, best first.
  func table(_ symbol: Symbol = bitcoin) -> String {
    guard let view = book(symbol) else { return "none" }
    func side(_ rows: [BookRow]) -> String {
      rows.map { row in
        let price = FixedDecimal(row.price, scale: view.priceScale)
        return "\(price)×\(FixedDecimal(row.size, scale: view.quantityScale))"
      }.joined(separator: " ")
    }
    return "\(side(view.bids)) | \(side(view.asks))"
  }
}
