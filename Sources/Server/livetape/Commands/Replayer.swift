import MarketModel
import VenueCatalogue
import VenueProtocols

/// A market fed from a recording.
protocol Replayer {
  /// The instruments seen so far, in a stable order.
  var symbols: [Symbol] { get }
  mutating func process(_ message: ArraySlice<UInt8>, at now: ClockReading) -> VenueProblem?
  /// The state of an instrument; nil if it has not occurred.
  func report(on symbol: Symbol, at now: ClockReading) -> MarketReport?
}

/// A venue whose recordings name their instruments.
struct MarketReplayer: Replayer {
  private var replay: any MarketReplay

  init(_ replay: any MarketReplay) { self.replay = replay }

  var symbols: [Symbol] { replay.bookSymbols }

  mutating func process(_ message: ArraySlice<UInt8>, at now: ClockReading) -> VenueProblem? {
    replay.process(message.span, at: now)
  }

  func report(on symbol: Symbol, at now: ClockReading) -> MarketReport? {
    var report = MarketReport(symbol: symbol)
    report.book = replay.bookView(for: symbol, at: now)
    report.tape = replay.tapeView(for: symbol, at: now)
    report.quote = replay.quoteView(for: symbol, at: now)
    guard report.book != nil || report.tape != nil || report.quote != nil else { return nil }
    report.messages = replay.messages
    return report
  }
}

/// Any other venue, with one given instrument.
struct SessionReplayer: Replayer {
  private var session: any VenueSession
  private let symbol: Symbol
  private let kind: MessageKind
  private var messages = 0
  private var isOpen = false

  init(_ venue: Venue, symbol: Symbol) {
    self.symbol = symbol
    session = venue.adapter.session(SessionSetup(origin: .replay))
    kind = venue.descriptor.transport == .tcp ? .stream : .text
  }

  var symbols: [Symbol] { [symbol] }

  mutating func process(_ message: ArraySlice<UInt8>, at now: ClockReading) -> VenueProblem? {
    if !isOpen {
      isOpen = true
      _ = session.handle(.wanted([Subscription(.quote, symbol)]), at: now)
      _ = session.handle(.opened, at: now)
    }
    messages += 1
    let line = kind == .stream ? Array(message) + [UInt8(ascii: "\n")] : Array(message)
    for effect in session.receive(line.span, kind: kind, at: now) {
      if case .rejected(let problem) = effect { return problem }
    }
    return nil
  }

  func report(on symbol: Symbol, at now: ClockReading) -> MarketReport? {
    guard symbol == self.symbol,
      case .quote(let quote)? = session.value(for: Subscription(.quote, symbol), at: now),
      quote.price != nil
    else { return nil }
    var report = MarketReport(symbol: symbol)
    report.quote = quote
    report.messages = messages
    return report
  }
}
