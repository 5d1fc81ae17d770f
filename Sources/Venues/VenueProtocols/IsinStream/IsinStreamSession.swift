public import MarketModel

/// The ISIN stream's protocol with its quotes: no greeting, no acknowledgements, no errors.
///
/// Only ``Channel/quote`` exists. A subscription is sent once per connection and repeated only when
/// its quotes have provably stopped: a repetition resets a live price. Facts: docs/venues/isin.md.
public struct IsinStreamSession: VenueSession, Equatable {
  /// Where the data comes from.
  public var origin: DataOrigin {
    get { board.origin }
    set { board.origin = newValue }
  }
  private var board: QuoteBoard
  private var log = IsinCommandLog()
  private var wanted: Set<Symbol> = []

  /// Creates a closed session without streams.
  public init(origin: DataOrigin) {
    // The server sends one quote every 100 to 600 ms, for one of the subscribed ISINs.
    board = QuoteBoard(
      origin: origin, rule: .sharedRhythm, cadence: CadenceTracker(expectedGapMilliseconds: 350))
  }

  /// ``Venue/isin``.
  public var venue: Venue { .isin }

  /// Ping frames, because the server sends nothing without subscriptions.
  public var heartbeat: HeartbeatPolicy { .pingFrames }

  /// Handles an event and returns the actions to take.
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

  /// Handles a received message, text or binary; quotes that are not requested are ignored.
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

  /// The quote of any ISIN, waiting until the first one comes; nil for other channels.
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

extension VenueAdapter {
  static let isin = VenueAdapter(
    replay: .oneInstrument,
    session: { IsinStreamSession(origin: $0.origin) })
}
