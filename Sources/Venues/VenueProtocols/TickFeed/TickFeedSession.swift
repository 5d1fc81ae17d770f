public import MarketModel
import VenueCatalogue

/// The tick feed's protocol with its latest tick: raw TCP, one line a second.
///
/// Only the configured symbol's ``Channel/quote`` exists. It is followed while the connection is
/// open, whether requested or not, because the venue has no subscriptions. Facts:
/// docs/venues/exchange.md.
public struct TickFeedSession: VenueSession, Equatable {
  /// Bad lines in a row after which the session reconnects, because this is no tick feed.
  public static let maximumBadLines = 64
  /// Ticks in a row with an earlier time after which the venue's clock must have been set back.
  public static let maximumOlderTicks = 3

  /// Where the data comes from.
  public var origin: DataOrigin {
    get { board.origin }
    set { board.origin = newValue }
  }
  /// The one listed stock.
  public let symbol: Symbol
  /// The latest valid tick, of this connection or an earlier one; nil before the first.
  public private(set) var latestTick: MarketTick?
  /// Counts valid ticks; an exact repetition of the latest one (same time, same values) is not a
  /// new snapshot and does not count, so its quantities are never offered twice.
  public private(set) var tickCount: UInt64 = 0

  private var board: QuoteBoard
  private var framer = TickFeedFramer()
  private var badLines = 0
  private var olderTicks = 0
  private var latestTime: UInt64?

  /// Creates a closed session.
  public init(symbol: Symbol, origin: DataOrigin) {
    self.symbol = symbol
    board = QuoteBoard(
      origin: origin, rule: .ownRhythm, cadence: CadenceTracker(expectedGapMilliseconds: 1000))
    board.follow([symbol])
  }

  /// ``Venue/exchange``.
  public var venue: Venue { .exchange }

  /// Nothing can be sent: ten seconds without a line mean that the connection is dead.
  public var heartbeat: HeartbeatPolicy {
    HeartbeatPolicy(probe: .none, probeAfterMilliseconds: 5_000, deadAfterMilliseconds: 5_000)
  }

  /// Handles an event and returns the actions to take.
  public mutating func handle(_ input: SessionInput, at now: ClockReading) -> [SessionEffect] {
    switch input {
    case .opened:
      framer.reset()
      (badLines, olderTicks, latestTime) = (0, 0, nil)
      board.open()
      return [.send(TickFeedRequest.hello), .ready] + stateChanges(at: now)
    case .closed:
      framer.reset()
      board.close()
      return stateChanges(at: now)
    case .wanted: return []
    case .timer: return stateChanges(at: now)
    }
  }

  /// Handles any bytes of the stream: part of a line, or several.
  public mutating func receive(
    _ bytes: Span<UInt8>, kind: MessageKind, at now: ClockReading
  ) -> [SessionEffect] {
    var effects: [SessionEffect] = []
    var isChanged = false
    var offset = 0
    while board.isOpen, badLines < Self.maximumBadLines,
      let event = framer.next(bytes, from: &offset)
    {
      do throws(TickFeedError) {
        isChanged = try take(event, into: &effects, at: now) || isChanged
      } catch {
        effects.append(.rejected(error.problem))
        // The previous tick may be outdated.
        if badLines == 0 { effects.append(.happened(Subscription(.quote, symbol), .unreadable)) }
        board.doubt(symbol)
        badLines += 1
        guard badLines == Self.maximumBadLines else { continue }
        effects.append(.reconnect(TickFeedError.notATickFeed(badLines: badLines).problem))
      }
    }
    if isChanged { effects.append(.changed(Subscription(.quote, symbol))) }
    return stateChanges(at: now).filter { !effects.contains($0) } + effects
  }

  /// The quote of the one stock; nil for anything else.
  public func value(for subscription: Subscription, at now: ClockReading) -> MarketValue? {
    guard subscription == Subscription(.quote, symbol) else { return nil }
    return .quote(board.view(of: symbol, at: now))
  }

  /// Applies a line and reports its tick; returns whether anything visible changed.
  private mutating func take(
    _ event: TickFeedFramer.Event, into effects: inout [SessionEffect], at now: ClockReading
  ) throws(TickFeedError) -> Bool {
    guard case .line(let line) = event else { throw .lineTooLong }
    if line.allSatisfy({ MarketTick.isBlank($0) }) { return false }
    let bytes = ContiguousArray(line)
    let tick = try MarketTick(decoding: bytes.span)  // rule-exception: not the span of an Array
    try checkOrder(tick)
    badLines = 0
    if tick != latestTick {
      tickCount &+= 1
      effects.append(.happened(Subscription(.quote, symbol), .tick(tick, number: tickCount)))
    }
    latestTick = tick
    let update = QuoteUpdate(
      price: tick.last, bid: tick.bid, ask: tick.ask, bidSize: tick.bidQuantity,
      askSize: tick.askQuantity)
    return board.take(update, for: symbol, at: now)
  }

  /// Refuses a tick that is older than the latest one, unless the venue's clock was set back.
  private mutating func checkOrder(_ tick: MarketTick) throws(TickFeedError) {
    if let latestTime, tick.time < latestTime {
      olderTicks += 1
      guard olderTicks >= Self.maximumOlderTicks else {
        throw .outOfOrder(latest: latestTime, found: tick.time)
      }
    }
    olderTicks = 0
    latestTime = tick.time
  }

  private mutating func stateChanges(at now: ClockReading) -> [SessionEffect] {
    board.reportStates(at: now).map { .changed(Subscription(.quote, $0)) }
  }
}

/// The client's message to the exchange's tick feed.
public enum TickFeedRequest {
  /// `hello`, as the venue's own client sends it: without a newline.
  public static var hello: OutboundMessage { OutboundMessage(.stream, Array("hello".utf8)) }
}

extension VenueAdapter {
  static let exchange = VenueAdapter(
    replay: .oneInstrument,
    session: { TickFeedSession(symbol: ExchangeCatalogue.symbol, origin: $0.origin) })
}
