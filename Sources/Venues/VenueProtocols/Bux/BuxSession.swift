public import MarketModel
import VenueCatalogue

/// BUX's feed protocol with its quotes: one WebSocket on which the venue greets first.
///
/// Only ``Channel/quote`` exists. The upgrade request has the token (``BuxRequest/feed(token:)``),
/// and the product has the decimals of its quotes. Facts: docs/venues/bux.md.
public struct BuxSession: VenueSession, Equatable {
  /// The greeting must come within this time.
  public static let greetingMilliseconds: Int64 = 10_000
  /// Stored identifiers, to drop messages that are delivered twice.
  static let rememberedIdentifiers = 15

  private enum Phase: Equatable {
    case closed
    case awaitingGreeting(since: MonotonicTime)
    case ready
    case ended
  }

  /// Where the data comes from.
  public var origin: DataOrigin {
    get { board.origin }
    set { board.origin = newValue }
  }
  private var phase = Phase.closed
  private var board: QuoteBoard
  private var wanted: Set<Symbol> = []
  private var subscribed: Set<Symbol> = []
  private var identifiers: [String] = []

  /// Creates a closed session without streams.
  public init(origin: DataOrigin) {
    // Quotes come in bursts with pauses, so up to 15 s of silence is normal.
    let cadence = CadenceTracker(expectedGapMilliseconds: 5_000, minimumLateMilliseconds: 15_000)
    board = QuoteBoard(origin: origin, rule: .quietMarket, cadence: cadence)
  }

  /// ``Venue/bux``.
  public var venue: Venue { .bux }

  /// Ping frames, because markets are silent at weekends.
  public var heartbeat: HeartbeatPolicy { .pingFrames }

  /// Handles an event and returns the actions to take.
  public mutating func handle(_ input: SessionInput, at now: ClockReading) -> [SessionEffect] {
    switch input {
    case .opened:
      (subscribed, identifiers) = ([], [])
      phase = .awaitingGreeting(since: now.monotonic)
      board.open()
      return stateChanges(at: now)
    case .closed:
      subscribed = []
      phase = .closed
      board.close()
      return stateChanges(at: now)
    case .wanted(let subscriptions):
      wanted = Set(subscriptions.filter { $0.channel == .quote }.map { $0.symbol })
      board.follow(wanted)
      return requests() + stateChanges(at: now)
    case .timer: return overdueGreeting(at: now) + stateChanges(at: now)
    }
  }

  /// Handles a received message; unknown types are ignored without error.
  public mutating func receive(
    _ bytes: Span<UInt8>, kind: MessageKind, at now: ClockReading
  ) -> [SessionEffect] {
    guard phase != .closed, phase != .ended else { return [] }
    let message: BuxFeedMessage
    do { message = try BuxFeedMessage(decoding: bytes) } catch {
      board.doubt(named: error.product ?? BuxFeedMessage.product(in: bytes))
      return [.rejected(error.problem)] + stateChanges(at: now)
    }
    guard isNew(message.identifier) else { return [] }
    switch message.event {
    case .connected: return greet(at: now)
    case .failed(let code, let developerMessage):
      phase = .ended
      let error = BuxFeedError.refused(errorCode: code, developerMessage: developerMessage)
      return [.refuse(error.problem)]
    case .quote(let product, let price):
      guard let symbol = Symbol(product), subscribed.contains(symbol),
        board.take(QuoteUpdate(price: price), for: symbol, at: now)
      else { return [] }
      return [.changed(Subscription(.quote, symbol))]
    case .other: return []
    }
  }

  /// The quote of any product, waiting until the first one comes; nil for other channels.
  public func value(for subscription: Subscription, at now: ClockReading) -> MarketValue? {
    guard subscription.channel == .quote else { return nil }
    return .quote(board.view(of: subscription.symbol, at: now))
  }

  private mutating func greet(at now: ClockReading) -> [SessionEffect] {
    guard case .awaitingGreeting = phase else { return [] }
    phase = .ready
    return [.ready] + requests()
  }

  private mutating func requests() -> [SessionEffect] {
    guard phase == .ready else { return [] }
    let requests = BuxFeedRequest.changing(from: subscribed, to: wanted)
    subscribed = wanted
    return requests.map { .send($0.message) }
  }

  private mutating func overdueGreeting(at now: ClockReading) -> [SessionEffect] {
    guard case .awaitingGreeting(let since) = phase,
      now.monotonic.milliseconds(since: since) >= BuxSession.greetingMilliseconds
    else { return [] }
    phase = .ended
    let error = BuxFeedError.noGreeting(milliseconds: BuxSession.greetingMilliseconds)
    return [.reconnect(error.problem)]
  }

  /// Whether the message is not among the latest fifteen; stores its identifier.
  private mutating func isNew(_ identifier: String?) -> Bool {
    guard let identifier else { return true }
    guard !identifiers.contains(identifier) else { return false }
    if identifiers.count == BuxSession.rememberedIdentifiers { identifiers.removeFirst() }
    identifiers.append(identifier)
    return true
  }

  private mutating func stateChanges(at now: ClockReading) -> [SessionEffect] {
    board.reportStates(at: now).map { .changed(Subscription(.quote, $0)) }
  }
}

extension VenueAdapter {
  static let bux = VenueAdapter(
    requests: VenueRequests(
      feedPath: BuxRequest.feed(token: nil).path, publicFeedHost: "rtf.beta.getbux.com",
      standInToken: AccessToken("simulated"), maximumBytes: BuxProductResponse.maximumBytes,
      headers: { BuxRequest.feed(token: $0).headers },
      productPath: { BuxRequest.product($0, token: nil).path },
      readProduct: { status, body, identifier in
        guard status == 200 else {
          return .failure(BuxErrorResponse.failure(status: status, body: body))
        }
        do throws(ProductFailure) {
          return .success(try BuxProductResponse.product(from: body, expected: identifier))
        } catch {
          return .failure(error)
        }
      }),
    replay: .oneInstrument, session: { BuxSession(origin: $0.origin) })
}
