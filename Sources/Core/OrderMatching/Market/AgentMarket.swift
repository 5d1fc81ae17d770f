// A market that looks like one: agents trading with each other through a matching engine, moved on
// by virtual time. Every simulated venue shows markets of this kind.

public import MarketModel

/// A seeded market of one instrument: an engine, and agents around a fundamental value.
///
/// Equal seeds, values and openings give equal markets at any time, however the time is cut into
/// calls.
public struct AgentMarket<Engine: MatchingEngine>: Sendable {
  /// When the next step is due, in microseconds since the value's first moment.
  public private(set) var due: Int64

  private var value: ValueWalk
  private var random: SplitMix64
  private var gateway: AgentGateway<Engine>
  // One of the two: in place, since an enumeration's payload would be copied at every step.
  private var crowd: CrowdAgents?
  private var quoting: QuotingAgents?
  private let stepMicroseconds: Int64

  /// Opens a market on any engine; both sides are quoted from the start.
  ///
  /// - Parameters:
  ///   - engine: The type of engine that matches.
  ///   - profile: Who trades.
  ///   - value: What they believe in.
  ///   - seed: Decides all that will ever happen.
  ///   - opening: The time of the first moment, in microseconds as the value takes them.
  ///   - keepsEvents: Whether ``advance(to:)`` tells what happened; always for deep markets.
  public init(
    on engine: Engine.Type, _ profile: MarketProfile, _ value: FundamentalValue, seed: UInt64,
    opening: Int64 = 0, keepsEvents: Bool = true
  ) {
    self.value = ValueWalk(value)
    random = SplitMix64(seed: seed)
    due = opening
    let start = Price(units: value.ticks(at: opening))
    let highest: Int64
    switch profile {
    case .quoted(let milliseconds):
      stepMicroseconds = milliseconds.clamped(to: 1...10_000) * 1000
      quoting = QuotingAgents()
      highest = value.startTicks * 3 + 1000
      gateway = AgentGateway(
        start: start, maximumPrice: Price(units: highest), microseconds: opening,
        keepsEvents: keepsEvents)
      quoting?.open(through: &gateway, value: value.thousandths(at: opening), &random)
      due += stepMicroseconds
    case .deep(let depth):
      stepMicroseconds = 0
      let crowd = CrowdAgents(depth, startTicks: value.startTicks)
      self.crowd = crowd
      // The farthest orders of a whole captured book stand at fifteen times the price.
      highest = value.startTicks * (depth.reach > 900 ? 18 : 4) + 1000
      gateway = AgentGateway(
        start: start, maximumPrice: Price(units: highest), microseconds: opening,
        keepsEvents: true)
      crowd.open(through: &gateway, value: value.thousandths(at: opening), &random)
      due += crowd.gap(&random)
    }
    gateway.open()
  }

  /// Makes the next step, whenever it is due, and tells what happened in it.
  public mutating func step() -> [AgentEvent] {
    let now = value.thousandths(at: due)
    gateway.microseconds = due
    if let crowd {
      crowd.act(through: &gateway, value: now, &random)
      due += crowd.gap(&random)
    } else {
      quoting?.act(through: &gateway, value: now, &random)
      due += stepMicroseconds
    }
    return gateway.takeEvents()
  }

  /// Makes the steps that are due at a time in microseconds; a time that has passed has none.
  @discardableResult
  public mutating func advance(to microseconds: Int64) -> [AgentEvent] {
    var events: [AgentEvent] = []
    while due <= microseconds { events += step() }
    return events
  }

  /// The price of the latest trade, in ticks; before the first trade the value.
  public var last: Price { gateway.last }

  /// The best level of a side; nil when it is empty.
  public func best(_ side: Side) -> BookLevel? { gateway.engine.best(side) }

  /// At most `limit` levels of a side, best first.
  public func levels(_ side: Side, limit: Int) -> [BookLevel] {
    gateway.engine.levels(side, limit: limit)
  }

  /// The hash of the engine's state; see ``MatchingEngine/stateHash``.
  public var stateHash: UInt64 { gateway.engine.stateHash }
}
