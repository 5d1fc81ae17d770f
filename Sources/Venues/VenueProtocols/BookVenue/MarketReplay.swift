public import MarketModel

/// Market data from recorded messages that name their instruments, for any venue with books.
public protocol MarketReplay: Sendable {
  /// Messages processed so far.
  var messages: Int { get }
  /// Instruments with a book, sorted.
  var bookSymbols: [Symbol] { get }
  /// Applies the raw text of one message, received at `now`.
  ///
  /// - Returns: the problem of an unreadable message, of which nothing was used; otherwise nil.
  @discardableResult
  mutating func process(_ bytes: Span<UInt8>, at now: ClockReading) -> VenueProblem?
  /// The book of an instrument; nil when it has not occurred.
  func bookView(for symbol: Symbol, at now: ClockReading) -> BookView?
  /// The trades of an instrument; nil when it has not occurred.
  func tapeView(for symbol: Symbol, at now: ClockReading) -> TapeView?
  /// The latest quote of an instrument; nil when it has not occurred.
  func quoteView(for symbol: Symbol, at now: ClockReading) -> QuoteView?
}
