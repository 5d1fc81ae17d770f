// Passes the exchange's feed to the order service: every tick, none conflated, and the freshness
// that the exchange's screen shows, so that no order fills at a price shown as stale.

public import MarketModel

/// Turns the exchange's feed into updates for the order service; the same on server and phone.
public struct ExchangeFeedGate: Sendable {
  /// Silence after which a tick is late before the feed's own rhythm is known, in milliseconds: the
  /// exchange speaks once a second.
  static let initialLateMilliseconds: Int64 = 3000

  /// The stream to follow, its values and all its events.
  public var wanted: Set<MarketKey> { [stream.key] }

  private var stream: QuoteStream
  private var sent: FreshnessState?
  private var sentLateAt: MonotonicTime?

  /// Starts before the first tick.
  public init(symbol: Symbol) {
    stream = QuoteStream(MarketKey(.exchange, .quote, symbol), origin: .venue)
  }

  /// Takes what happened; nil when nothing changed for orders.
  public mutating func receive(_ input: StreamInput, at now: ClockReading) -> ExchangeUpdate? {
    if case .event(_, let event) = input {
      if event == .unreadable {
        // The feed is late until it vouches for a tick again.
        (sent, sentLateAt) = (.late, nil)
        return .unreadable
      }
      guard case .tick(let tick, let number) = event else { return nil }
      // A tick makes the market live for orders; whatever the stream says next counts again.
      let silence =
        stream.freshness.lateAfterMilliseconds ?? ExchangeFeedGate.initialLateMilliseconds
      let lateAt = now.monotonic.adding(milliseconds: silence)
      (sent, sentLateAt) = (.live, lateAt)
      return .tick(tick, number: number, lateAt: lateAt)
    }
    _ = stream.receive(input)
    let (state, lateAt) = (stream.freshness.state, lateAt)
    // Before the first tick there is nothing to retract.
    guard state != .waiting, state != sent || isConfirmed(until: lateAt) else { return nil }
    (sent, sentLateAt) = (state, lateAt)
    return .freshness(state, lateAt: lateAt)
  }

  /// From when on the market is late unless it is confirmed again: the exchange's feed has a rhythm
  /// of its own, so its silence counts from the latest tick.
  private var lateAt: MonotonicTime? {
    let freshness = stream.freshness
    guard let confirmedAt = freshness.confirmedAt, let silence = freshness.lateAfterMilliseconds
    else { return nil }
    return confirmedAt.monotonic.adding(milliseconds: silence)
  }

  /// Whether a tick that repeated the one before it, and was no event, moved the time at which the
  /// market is late.
  private func isConfirmed(until lateAt: MonotonicTime?) -> Bool {
    guard sent == .live, let lateAt, let sentLateAt else { return false }
    return lateAt > sentLateAt
  }
}
