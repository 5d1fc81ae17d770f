public import MarketModel

/// Converts the exchange's feed to updates for the order service, on server and phone.
///
/// Passes every tick and the displayed freshness, so that no order fills at a price shown as stale.
public struct ExchangeFeedGate: Sendable {
  /// Used until the feed's rhythm is established; the exchange sends once a second.
  static let initialLateMilliseconds: Int64 = 3000

  /// The stream to observe, its values and events.
  public var wanted: Set<MarketKey> { [stream.key] }

  private var stream: QuoteStream
  private var sent: FreshnessState?
  private var sentLateAt: MonotonicTime?

  /// Starts before the first tick.
  public init(symbol: Symbol) {
    stream = QuoteStream(MarketKey(.exchange, .quote, symbol), origin: .venue)
  }

  /// Converts an input; nil if nothing changed for orders.
  public mutating func receive(_ input: StreamInput, at now: ClockReading) -> ExchangeUpdate? {
    if case .event(_, let event) = input {
      if event == .unreadable {
        // The feed is late until the next confirmed tick.
        (sent, sentLateAt) = (.late, nil)
        return .unreadable
      }
      guard case .tick(let tick, let number) = event else { return nil }
      // A tick makes the market live for orders until the stream's next change.
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

  /// When the market becomes late without confirmation, counted from the latest tick.
  private var lateAt: MonotonicTime? {
    let freshness = stream.freshness
    guard let confirmedAt = freshness.confirmedAt, let silence = freshness.lateAfterMilliseconds
    else { return nil }
    return confirmedAt.monotonic.adding(milliseconds: silence)
  }

  /// Whether a repeated tick, which is no event, postponed when the market becomes late.
  private func isConfirmed(until lateAt: MonotonicTime?) -> Bool {
    guard sent == .live, let lateAt, let sentLateAt else { return false }
    return lateAt > sentLateAt
  }
}
