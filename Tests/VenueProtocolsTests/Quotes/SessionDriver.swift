// Drives a session manually: messages as text, time in milliseconds, effects as they occur. No test
// of the quote venues needs a socket, a clock or a wait.

import MarketModel
import Testing
import VenueProtocols

struct SessionDriver<Session: VenueSession> {
  var session: Session
  var milliseconds: Int64 = 0
  /// The error of the wall clock, in milliseconds.
  var wallOffset: Int64 = 0
  private(set) var sent: [String] = []
  /// The result of the latest ``takeSent()``.
  private(set) var lastSent: [String] = []
  private(set) var rejected: [VenueProblem] = []

  init(_ session: Session) { self.session = session }

  var now: ClockReading {
    ClockReading(
      monotonic: MonotonicTime(milliseconds: milliseconds),
      wall: Timestamp(milliseconds: milliseconds + wallOffset))
  }

  @discardableResult
  mutating func give(_ input: SessionInput) -> [SessionEffect] {
    note(session.handle(input, at: now))
  }

  @discardableResult
  mutating func want(_ symbols: [Symbol]) -> [SessionEffect] {
    give(.wanted(Set(symbols.map { Subscription(.quote, $0) })))
  }

  @discardableResult
  mutating func receive(_ text: String) -> [SessionEffect] { receive(bytes: Array(text.utf8)) }

  @discardableResult
  mutating func receive(bytes: [UInt8], kind: MessageKind = .text) -> [SessionEffect] {
    note(session.receive(bytes.span, kind: kind, at: now))
  }

  /// Advances time in the host's steps of 250 ms, with a timer after each.
  @discardableResult
  mutating func pass(milliseconds duration: Int64) -> [SessionEffect] {
    var effects: [SessionEffect] = []
    let end = milliseconds + duration
    while milliseconds < end {
      milliseconds = min(end, milliseconds + 250)
      effects += give(.timer)
    }
    return effects
  }

  mutating func takeSent() -> [String] {
    lastSent = sent
    sent = []
    return lastSent
  }

  func quote(_ symbol: Symbol) throws -> QuoteView {
    guard case .quote(let view) = session.value(for: Subscription(.quote, symbol), at: now) else {
      throw MissingQuote(symbol: symbol)
    }
    return view
  }

  private mutating func note(_ effects: [SessionEffect]) -> [SessionEffect] {
    for effect in effects {
      if case .send(let message) = effect {
        sent.append(String(decoding: message.bytes, as: UTF8.self))
      }
      if case .rejected(let problem) = effect { rejected.append(problem) }
    }
    return effects
  }
}

struct MissingQuote: Error { let symbol: Symbol }

protocol QuoteVenueTests {}

extension QuoteVenueTests {
  func symbol(_ text: String) throws -> Symbol { try #require(Symbol(text)) }

  func changed(_ symbol: Symbol) -> SessionEffect { .changed(Subscription(.quote, symbol)) }

  func decimal(_ text: String) throws -> FixedDecimal { try #require(FixedDecimal(text)) }
}
