public import MarketModel
import WireJSON

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
    case .timer: return requests(at: now) + stateChanges(at: now)
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

/// The commands sent on this connection, and the ones to send next.
///
/// The server executes each command 10 to 60 ms after it came, in any order, and acknowledges none.
/// So commands for one ISIN are spaced, and those that seem lost are sent again.
struct IsinCommandLog: Sendable, Equatable {
  /// The shortest time between two commands for one ISIN: three times the server's longest delay.
  static let spacingMilliseconds: Int64 = 200
  /// A subscription without its immediate first quote is sent again after this time, then after
  /// twice this, and so on up to ``longestRetryMilliseconds``.
  static let firstRetryMilliseconds: Int64 = 5_000
  static let longestRetryMilliseconds: Int64 = 60_000
  /// A quote this long after its unsubscription shows that the unsubscription was lost.
  static let straggleMilliseconds: Int64 = 1_000
  static let memoryMilliseconds: Int64 = 60_000

  private struct Command: Equatable {
    var isSubscription: Bool
    var sentAt: MonotonicTime
    var repeats = 0
    /// Whether a quote has come since, which proves that the server executed the command.
    var isAnswered = false
  }

  private var latest: [Symbol: Command] = [:]

  /// Handles a new connection, on which nothing is subscribed.
  mutating func removeAll() { latest.removeAll(keepingCapacity: true) }

  /// The commands that make the server's set equal to `wanted`, in order of ISIN; O(n log n).
  mutating func requests(
    wanted: Set<Symbol>, board: QuoteBoard, at now: ClockReading
  ) -> [IsinStreamRequest] {
    var requests: [IsinStreamRequest] = []
    for symbol in wanted.union(latest.keys).sorted() {
      let isWanted = wanted.contains(symbol)
      guard let command = latest[symbol] else {
        requests.append(send(true, symbol, repeats: 0, at: now))
        continue
      }
      let age = now.monotonic.milliseconds(since: command.sentAt)
      if command.isSubscription != isWanted {
        guard age >= Self.spacingMilliseconds else { continue }
        requests.append(send(isWanted, symbol, repeats: 0, at: now))
      } else if isWanted {
        guard isLost(symbol, command, age: age, board: board, at: now) else { continue }
        requests.append(send(true, symbol, repeats: command.repeats + 1, at: now))
      } else if age >= Self.memoryMilliseconds {
        latest[symbol] = nil
      }
    }
    return requests
  }

  mutating func noteQuote(of symbol: Symbol) { latest[symbol]?.isAnswered = true }

  /// The unsubscription to repeat after a quote that is not requested; nil if none is due.
  mutating func straggler(_ symbol: Symbol, at now: ClockReading) -> IsinStreamRequest? {
    guard let command = latest[symbol], !command.isSubscription,
      now.monotonic.milliseconds(since: command.sentAt) >= Self.straggleMilliseconds
    else { return nil }
    return send(false, symbol, repeats: 0, at: now)
  }

  private func isLost(
    _ symbol: Symbol, _ command: Command, age: Int64, board: QuoteBoard, at now: ClockReading
  ) -> Bool {
    if command.isAnswered { return board.hasFallenSilent(symbol, at: now) }
    let delay = Self.firstRetryMilliseconds << Int64(min(command.repeats, 4))
    return age >= min(delay, Self.longestRetryMilliseconds)
  }

  private mutating func send(
    _ isSubscription: Bool, _ symbol: Symbol, repeats: Int, at now: ClockReading
  ) -> IsinStreamRequest {
    latest[symbol] = Command(
      isSubscription: isSubscription, sentAt: now.monotonic, repeats: repeats)
    return isSubscription ? .subscribe(symbol) : .unsubscribe(symbol)
  }
}

/// A command for the ISIN stream, which responds to none.
public enum IsinStreamRequest: Hashable, Sendable {
  /// Subscribes; the first quote comes at once. Repeating it for a live ISIN resets the price.
  case subscribe(Symbol)
  /// Unsubscribes.
  case unsubscribe(Symbol)

  /// The command as it is sent: `{"subscribe":"US0378331005"}`.
  public var message: OutboundMessage {
    var writer = JSONWriter(capacity: 48)
    writer.object { writer in
      switch self {
      case .subscribe(let symbol): writer.member("subscribe", symbol.text)
      case .unsubscribe(let symbol): writer.member("unsubscribe", symbol.text)
      }
    }
    return OutboundMessage(.text, writer.bytes)
  }
}
