// What the replays of venues with books have in common, so that who plays a recording needs to know
// the venue only when it begins.

public import MarketModel

/// Market data from recorded messages that say by themselves which instruments they hold.
public protocol MarketReplay: Sendable {
  /// Messages handed in so far.
  var messages: Int { get }
  /// Instruments of which a book has been seen, alphabetically.
  var bookSymbols: [Symbol] { get }
  /// Takes the raw text of one message, as received at `now`.
  ///
  /// - Returns: nil, or what was wrong with a message that could not be read; nothing of it was
  /// used.
  @discardableResult
  mutating func process(_ bytes: Span<UInt8>, at now: ClockReading) -> VenueProblem?
  /// The book of an instrument; nil when it has not occurred.
  func bookView(for symbol: Symbol, at now: ClockReading) -> BookView?
  /// The trades of an instrument; nil when it has not occurred.
  func tapeView(for symbol: Symbol, at now: ClockReading) -> TapeView?
  /// The latest quote of an instrument; nil when it has not occurred.
  func quoteView(for symbol: Symbol, at now: ClockReading) -> QuoteView?
}
