import MarketModel
import Testing

@testable import AppState

/// A moment, in milliseconds from the start; both clocks agree.
func at(_ milliseconds: Int64) -> ClockReading { ClockReading(milliseconds: milliseconds) }

func symbol(_ text: String) throws -> Symbol { try #require(Symbol(text)) }

func decimal(_ text: String) throws -> FixedDecimal { try #require(FixedDecimal(text)) }

func fresh(_ state: FreshnessState, _ confirmed: Int64 = 0) -> Freshness {
  Freshness(state: state, origin: .simulated, confirmedAt: at(confirmed))
}

func quote(
  _ venue: Venue, _ name: String, _ price: String?, _ freshness: Freshness = fresh(.live),
  direction: Direction = .unchanged, changes: UInt64 = 0
) throws -> ScreenInput {
  let name = try symbol(name)
  let view = QuoteView(
    symbol: name, price: try price.map(decimal), direction: direction, changes: changes,
    freshness: freshness)
  return .value(MarketKey(venue, .quote, name), .quote(view))
}

func connection(
  _ venue: Venue, _ phase: ConnectionPhase, since: Int64 = 0,
  _ adjust: (inout ConnectionStatus) -> Void = { _ in }
) -> ScreenInput {
  var status = ConnectionStatus(venue: venue, origin: .simulated, since: at(since))
  status.phase = phase
  adjust(&status)
  return .connection(status)
}

extension Screen {
  /// Sends an input at a moment and returns the effects.
  @discardableResult
  mutating func take(_ input: ScreenInput, _ milliseconds: Int64 = 0) -> [ScreenEffect] {
    receive(input, at: at(milliseconds))
  }

  @discardableResult
  mutating func pass(to milliseconds: Int64) -> [ScreenEffect] {
    receive(.timer, at: at(milliseconds))
  }
}

/// Every truncation of a text, and every replaced or doubled byte: hostile input that is almost
/// right.
func distortions(of text: String) -> [String] {
  let bytes = Array(text.utf8)
  var all: [[UInt8]] = []
  for index in bytes.indices {
    all.append(Array(bytes[..<index]))
    all.append(Array(bytes[..<index]) + [bytes[index]] + Array(bytes[index...]))
    for other: UInt8 in [0, 0x20, 0x22, 0x25, 0x2f, 0x5c, 0x7f, 0x80, 0xff] {
      var copy = bytes
      copy[index] = other
      all.append(copy)
    }
  }
  return all.map { String(decoding: $0, as: UTF8.self) }
}
