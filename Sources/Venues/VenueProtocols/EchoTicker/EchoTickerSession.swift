public import MarketModel
import VenueCatalogue

/// The price tracker's protocol: an echo server returns its generated prices; only those are shown.
///
/// It runs while the connection is open: the host starts and stops the feed by connecting and
/// disconnecting. All its symbols have quotes, requested or not. Facts: docs/venues/echo.md.
public struct EchoTickerSession: VenueSession, Equatable {
  /// Time between two batches of prices.
  public static let intervalMilliseconds: Int64 = 2_000
  /// Batches whose echoes are still accepted; later echoes are ignored.
  public static let maximumBatchesInFlight = 16

  private struct Sent: Equatable {
    let symbol: Symbol
    let price: FixedDecimal
  }

  /// Where the data comes from.
  public var origin: DataOrigin {
    get { board.origin }
    set { board.origin = newValue }
  }
  /// The stocks, in the order given, each once.
  public let symbols: [Symbol]

  private var board: QuoteBoard
  private var walk: EchoPriceWalk
  private var cents: [Symbol: Int64] = [:]
  private var session = ""
  private var sequence: UInt64 = 0
  private var inFlight: [UInt64: Sent] = [:]
  private var newestEcho: [Symbol: UInt64] = [:]
  private var nextBatch: MonotonicTime?

  /// Creates a closed session.
  ///
  /// - Parameters:
  ///   - symbols: The stocks; repetitions are dropped.
  ///   - seed: The seed of the prices; equal seeds give equal prices.
  ///   - startPricesCents: First prices of some or all stocks, in cents; the others, and those
  ///     below ``EchoPriceWalk/minimumCents``, are random.
  ///   - origin: Where the data comes from.
  public init(
    symbols: [Symbol], seed: UInt64, startPricesCents: [Symbol: Int64] = [:], origin: DataOrigin
  ) {
    var known: Set<Symbol> = []
    self.symbols = symbols.filter { known.insert($0).inserted }
    walk = EchoPriceWalk(seed: seed)
    let cadence = CadenceTracker(expectedGapMilliseconds: Self.intervalMilliseconds)
    board = QuoteBoard(origin: origin, rule: .ownRhythm, cadence: cadence)
    board.follow(known)
    for symbol in self.symbols {
      let drawn = walk.firstPriceCents()
      let given = startPricesCents[symbol] ?? drawn
      cents[symbol] = given < EchoPriceWalk.minimumCents ? drawn : given
    }
  }

  /// ``Venue/echo``.
  public var venue: Venue { .echo }

  /// Ping frames.
  public var heartbeat: HeartbeatPolicy { .pingFrames }

  /// Handles an event and returns the actions to take.
  public mutating func handle(_ input: SessionInput, at now: ClockReading) -> [SessionEffect] {
    switch input {
    case .opened:
      startSession(at: now)
      return [.ready] + batchIfDue(at: now) + stateChanges(at: now)
    case .closed:
      nextBatch = nil
      inFlight.removeAll()
      board.close()
      return stateChanges(at: now)
    case .wanted: return []
    case .timer: return batchIfDue(at: now) + stateChanges(at: now)
    }
  }

  /// Handles an echo; repeated, overtaken, foreign and outdated ones change nothing.
  public mutating func receive(
    _ bytes: Span<UInt8>, kind: MessageKind, at now: ClockReading
  ) -> [SessionEffect] {
    let echo: EchoTickerMessage
    do throws(EchoTickerError) {
      guard let read = try EchoTickerMessage(decoding: bytes) else { return [] }
      echo = read
    } catch { return reject(error, of: nil, at: now) }
    guard board.isOpen, echo.session == session, let sent = inFlight[echo.sequence] else {
      return []
    }
    guard sent.symbol == echo.symbol, sent.price == echo.price else {
      return reject(.altered(sequence: echo.sequence), of: sent.symbol, at: now)
    }
    inFlight[echo.sequence] = nil
    guard echo.sequence > newestEcho[echo.symbol, default: 0] else { return [] }
    newestEcho[echo.symbol] = echo.sequence
    // Equal in value, but an echo may have fewer digits: 189.2 for 189.20.
    guard board.take(QuoteUpdate(price: sent.price), for: echo.symbol, at: now) else { return [] }
    return [.changed(Subscription(.quote, echo.symbol))]
  }

  /// The quote of one of the symbols; nil for anything else.
  public func value(for subscription: Subscription, at now: ClockReading) -> MarketValue? {
    guard subscription.channel == .quote, board.isFollowing(subscription.symbol) else { return nil }
    return .quote(board.view(of: subscription.symbol, at: now))
  }

  private mutating func reject(
    _ error: EchoTickerError, of symbol: Symbol?, at now: ClockReading
  ) -> [SessionEffect] {
    board.doubt(symbol)
    return [.rejected(error.problem)] + stateChanges(at: now)
  }

  private mutating func startSession(at now: ClockReading) {
    let digits = String(walk.nonce(), radix: 16)
    session = String(repeating: "0", count: 16 - digits.utf8.count) + digits
    sequence = 0
    inFlight.removeAll()
    newestEcho.removeAll()
    nextBatch = now.monotonic
    board.open()
  }

  /// One batch if due, on a grid of two seconds from the opening; after a pause only one.
  private mutating func batchIfDue(at now: ClockReading) -> [SessionEffect] {
    guard let due = nextBatch, due <= now.monotonic else { return [] }
    let missed = now.monotonic.milliseconds(since: due) / Self.intervalMilliseconds
    nextBatch = due.adding(milliseconds: (missed + 1) * Self.intervalMilliseconds)
    let effects = symbols.map { SessionEffect.send(nextMessage(for: $0)) }
    forgetLateEchoes()
    return effects
  }

  private mutating func nextMessage(for symbol: Symbol) -> OutboundMessage {
    let price = walk.price(after: cents[symbol] ?? EchoPriceWalk.minimumCents)
    cents[symbol] = price
    sequence += 1
    let amount = FixedDecimal(units: price, scale: Scale(clamping: 2))
    inFlight[sequence] = Sent(symbol: symbol, price: amount)
    return EchoTickerMessage(
      symbol: symbol, price: amount, sequence: sequence, session: session
    ).message
  }

  private mutating func forgetLateEchoes() {
    let kept = UInt64(Self.maximumBatchesInFlight * symbols.count)
    guard inFlight.count > kept else { return }
    inFlight = inFlight.filter { $0.key + kept > sequence }
  }

  private mutating func stateChanges(at now: ClockReading) -> [SessionEffect] {
    board.reportStates(at: now).map { .changed(Subscription(.quote, $0)) }
  }
}

/// A seeded random walk of prices in cents.
public struct EchoPriceWalk: Sendable, Equatable {
  /// No price falls below this.
  public static let minimumCents: Int64 = 100
  /// No price rises above this.
  public static let maximumCents: Int64 = 999_900
  /// The largest step of one tick, in hundredths of a percent of the price.
  public static let maximumStepBasisPoints: Int64 = 150

  private var generator: SplitMix64

  /// Creates a walk; equal seeds give equal prices.
  public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// A plausible first price, 5.00 to 900.00; low prices are more frequent.
  public mutating func firstPriceCents() -> Int64 {
    let largest = generator.below(89_501)
    return 500 + min(largest, generator.below(89_501))
  }

  /// The price after `cents`, clamped to the walk's bounds first: at most 1.5 % or one cent away.
  public mutating func price(after cents: Int64) -> Int64 {
    let price = min(max(cents, EchoPriceWalk.minimumCents), EchoPriceWalk.maximumCents)
    let largest = max(1, price * EchoPriceWalk.maximumStepBasisPoints / 10_000)
    let moved = price + generator.below(2 * largest + 1) - largest
    return min(max(moved, EchoPriceWalk.minimumCents), EchoPriceWalk.maximumCents)
  }

  /// 64 random bits that identify a connection, to detect echoes of an earlier one.
  mutating func nonce() -> UInt64 { generator.next() }
}

extension VenueAdapter {
  static let echo = VenueAdapter(
    replay: .none,
    session: { setup in
      let stocks = StockCatalogue.stocks
      let prices = stocks.map { ($0.symbol, $0.startPriceCents) }
      return EchoTickerSession(
        symbols: stocks.map(\.symbol), seed: setup.seed,
        startPricesCents: Dictionary(prices) { first, _ in first }, origin: setup.origin)
    })
}
