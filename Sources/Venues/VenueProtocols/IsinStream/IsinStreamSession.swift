// The watch list's venue: prices by ISIN over one WebSocket, without greeting, acknowledgement or
// error message. docs/venues/isin.md has the facts.

public import MarketModel

/// The ISIN stream's protocol with the quotes it has brought.
///
/// Only ``Channel/quote`` exists. A subscription is sent once for each connection and repeated only
/// when its quotes have provably stopped, because repeating it for a live ISIN resets the price.
public struct IsinStreamSession: VenueSession, Equatable {
  /// Where the data comes from.
  public var origin: DataOrigin {
    get { board.origin }
    set { board.origin = newValue }
  }
  private var board: QuoteBoard
  private var log = IsinCommandLog()
  private var wanted: Set<Symbol> = []

  /// Starts closed, with nothing wanted.
  public init(origin: DataOrigin) {
    // The server sends one quote every 100 to 600 ms, for one of the subscribed ISINs.
    board = QuoteBoard(
      origin: origin, rule: .sharedRhythm, cadence: CadenceTracker(expectedGapMilliseconds: 350))
  }

  /// ``Venue/isin``.
  public var venue: Venue { .isin }

  /// Ping frames: without subscriptions the server is silent by right.
  public var heartbeat: HeartbeatPolicy { .pingFrames }

  /// Takes an event and returns what to do.
  public mutating func handle(_ input: SessionInput, at now: ClockReading) -> [SessionEffect] {
    switch input {
    case .opened:
      log.removeAll()
      board.open()
      return [.ready] + requests(at: now) + stateChanges(at: now)
    case .closed:
      log.removeAll()
      board.close()
      return stateChanges(at: now)
    case .wanted(let subscriptions):
      wanted = Set(subscriptions.filter { $0.channel == .quote }.map { $0.symbol })
      board.follow(wanted)
      return requests(at: now) + stateChanges(at: now)
    case .timer:
      return requests(at: now) + stateChanges(at: now)
    }
  }

  /// Takes a received message, text or binary alike; quotes that nobody wants are ignored.
  public mutating func receive(
    _ bytes: Span<UInt8>, kind: MessageKind, at now: ClockReading
  ) -> [SessionEffect] {
    let message: IsinStreamMessage
    do { message = try IsinStreamMessage(decoding: bytes) } catch {
      board.doubt(named: NamedInstrument.text("isin", in: bytes))
      return [.rejected(error.problem)] + stateChanges(at: now)
    }
    guard let symbol = Symbol(message.isin) else { return [] }
    guard wanted.contains(symbol) else {
      return log.straggler(symbol, at: now).map { [.send($0.message)] } ?? []
    }
    log.noteQuote(of: symbol)
    let update = QuoteUpdate(price: message.price, bid: message.bid, ask: message.ask)
    guard board.take(update, for: symbol, at: now) else { return [] }
    return [.changed(Subscription(.quote, symbol))]
  }

  /// The quote of any ISIN: waiting where none came, nil for other channels.
  public func value(for subscription: Subscription, at now: ClockReading) -> MarketValue? {
    guard subscription.channel == .quote else { return nil }
    return .quote(board.view(of: subscription.symbol, at: now))
  }

  private mutating func requests(at now: ClockReading) -> [SessionEffect] {
    guard board.isOpen else { return [] }
    return log.requests(wanted: wanted, board: board, at: now).map { .send($0.message) }
  }

  private mutating func stateChanges(at now: ClockReading) -> [SessionEffect] {
    board.reportStates(at: now).map { .changed(Subscription(.quote, $0)) }
  }
}
