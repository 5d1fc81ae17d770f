// What a trading desk hears of the exchange: every tick, none conflated, and the feed's freshness
// as the exchange's screen shows it, so that nobody trades on a price that is called stale.

public import MarketModel

/// Turns what the exchange's feed brings into what a desk is told; the same on server and phone.
public struct DeskFeed: Sendable {
  /// What the desk is told.
  public enum Word: Hashable, Sendable {
    /// A tick, with the number that counts the feed's ticks.
    case tick(MarketTick, number: UInt64)
    /// What the feed is worth from now on.
    case freshness(FreshnessState)
  }

  /// The stream to follow, its values and all its events.
  public var wanted: Set<MarketKey> { screen.wanted }

  private var screen: ExchangeScreen
  private var told: FreshnessState?

  /// Starts before the first tick.
  public init(symbol: Symbol) { screen = ExchangeScreen(symbol: symbol) }

  /// Takes what happened; nil when there is nothing to tell.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> Word? {
    if case .event(_, let event) = input {
      guard case .tick(let tick, let number) = event else { return nil }
      // To the desk a tick makes the market live; whatever the screen says next counts again.
      told = .live
      return .tick(tick, number: number)
    }
    _ = screen.receive(input, at: now)
    let state = screen.state.freshness.state
    // Before the first tick there is nothing to take back.
    guard state != told, state != .waiting else { return nil }
    told = state
    return .freshness(state)
  }
}
