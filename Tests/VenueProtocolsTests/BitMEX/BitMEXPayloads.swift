import Foundation
import MarketModel
import OrderBook
import Testing
import VenueProtocols

struct RecordedMessage {
  let time: ClockReading
  let bytes: [UInt8]
}

enum BitMEXPayloads {
  static func url(_ name: String) throws -> URL {
    let found = Bundle.module.url(
      forResource: name, withExtension: nil, subdirectory: "Payloads/bitmex")
    return try #require(found, "payload \(name)")
  }

  static func lines(_ name: String) throws -> [String] {
    let text = try String(contentsOf: url(name), encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }

  static func session() throws -> [RecordedMessage] {
    try lines("2021-07-22.XBTUSD.server.tsv").map { line in
      let parts = line.split(separator: "\t", maxSplits: 1)
      let seconds = try #require(parts.first.flatMap { Double($0) })
      return RecordedMessage(
        time: ClockReading(milliseconds: Int64(seconds * 1000)),
        bytes: Array(try #require(parts.last).utf8))
    }
  }

  static func expected() throws -> ExpectedSession {
    let data = try Data(contentsOf: url("2021-07-22.XBTUSD.expected.json"))
    return try JSONDecoder().decode(ExpectedSession.self, from: data)
  }
}

/// A number that the file spells as a number or as a string.
struct ExpectedAmount: Decodable {
  let value: FixedDecimal

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text: String
    if let whole = try? container.decode(Int64.self) {
      text = String(whole)
    } else {
      text = try container.decode(String.self)
    }
    value = try #require(FixedDecimal(text))
  }
}

struct ExpectedSession: Decodable {
  struct Checkpoint: Decodable {
    let after_message: Int
    let bid_levels: Int
    let ask_levels: Int
    let bid_total: Int64
    let ask_total: Int64
    let bids20: [[ExpectedAmount]]
    let asks20: [[ExpectedAmount]]
  }

  struct Quote: Decodable {
    let bidSize: Int64
    let bidPrice: ExpectedAmount
    let askPrice: ExpectedAmount
    let askSize: Int64
  }

  struct Trade: Decodable {
    let timestamp: String
    let side: String
    let size: Int64
    let price: ExpectedAmount
  }

  let messages: Int
  let checkpoints: [Checkpoint]
  let final_quote: Quote
  let last_trades_newest_first: [Trade]
}

func symbol(_ text: StaticString) -> Symbol {
  guard let symbol = Symbol("\(text)") else { fatalError("bad symbol in a test") }
  return symbol
}

extension BitMEXReplay {
  /// Parses one message from an array, or from a literal of a test.
  @discardableResult
  mutating func process(_ bytes: [UInt8], at now: ClockReading) -> VenueProblem? {
    process(bytes.span, at: now)
  }
}
