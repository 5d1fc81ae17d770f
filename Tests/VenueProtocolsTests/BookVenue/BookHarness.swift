// Drives a session of a venue of books as a host would, and keeps what it asked for. What messages
// look like is each venue's own.

import MarketModel
import VenueProtocols

/// A session with its clock and everything it has done.
protocol BookHarness {
  associatedtype Session: VenueSession
  /// The symbol that is meant where none is named.
  static var usual: Symbol { get }
  var session: Session { get set }
  var milliseconds: Int64 { get set }
  var effects: [SessionEffect] { get set }
  /// What the wall clock shows; nil: as long after 1970 as the monotonic one after its start.
  var wall: Timestamp? { get set }
}

extension BookHarness {
  var now: ClockReading {
    ClockReading(
      monotonic: MonotonicTime(milliseconds: milliseconds),
      wall: wall ?? Timestamp(milliseconds: milliseconds))
  }

  @discardableResult
  mutating func input(_ input: SessionInput) -> [SessionEffect] {
    effects = session.handle(input, at: now)
    return effects
  }

  @discardableResult
  mutating func receive(_ text: String) -> [SessionEffect] { receive(bytes: Array(text.utf8)) }

  @discardableResult
  mutating func receive(bytes: [UInt8]) -> [SessionEffect] {
    milliseconds += 10
    effects = session.receive(bytes.span, kind: .text, at: now)
    return effects
  }

  @discardableResult
  mutating func wait(_ duration: Int64) -> [SessionEffect] {
    milliseconds += duration
    return input(.timer)
  }

  func book(_ symbol: Symbol = Self.usual) -> BookView? {
    guard case .book(let view)? = session.value(for: .init(.book, symbol), at: now) else {
      return nil
    }
    return view
  }

  func tape(_ symbol: Symbol = Self.usual) -> TapeView? {
    guard case .trades(let view)? = session.value(for: .init(.trades, symbol), at: now) else {
      return nil
    }
    return view
  }

  func figures(_ symbol: Symbol = Self.usual) -> DayFigures? {
    guard case .figures(let view)? = session.value(for: .init(.figures, symbol), at: now) else {
      return nil
    }
    return view
  }

  func quote(_ symbol: Symbol = Self.usual) -> QuoteView? {
    guard case .quote(let view)? = session.value(for: .init(.quote, symbol), at: now) else {
      return nil
    }
    return view
  }
}
