public import MarketModel

/// A seeded market of one instrument: agents trade in virtual time around a fundamental value.
///
/// Equal seeds, values and openings give equal markets, regardless of how calls divide the time.
public struct AgentMarket<Engine: MatchingEngine>: Sendable {
  /// When the next step is due, in microseconds since the value's first moment.
  public private(set) var due: Int64

  private var value: ValueWalk
  private var random: SplitMix64
  private var gateway: AgentGateway<Engine>
  // Exactly one is set. Not an enumeration, whose payload would be copied at every step.
  private var crowd: CrowdAgents?
  private var quoting: QuotingAgents?
  private let stepMicroseconds: Int64

  /// Opens a market with both sides quoted; `seed` determines every event.
  ///
  /// `opening` is the first moment, in microseconds on the value's time axis. `keepsEvents` is
  /// whether ``advance(to:)`` returns events, as deep markets always do.
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
      // A whole captured book reaches to fifteen times the price.
      highest = value.startTicks * (depth.reach > 900 ? 18 : 4) + 1000
      gateway = AgentGateway(
        start: start, maximumPrice: Price(units: highest), microseconds: opening,
        keepsEvents: true)
      crowd.open(through: &gateway, value: value.thousandths(at: opening), &random)
      due += crowd.gap(&random)
    }
    gateway.open()
  }

  /// Makes the next step, even if not yet due, and returns its events.
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

  /// Makes all steps due at a time in microseconds and returns their events.
  @discardableResult
  public mutating func advance(to microseconds: Int64) -> [AgentEvent] {
    var events: [AgentEvent] = []
    while due <= microseconds { events += step() }
    return events
  }

  /// The latest trade's price in ticks, or the value before the first.
  public var last: Price { gateway.last }

  /// The best level of a side; nil when empty.
  public func best(_ side: Side) -> BookLevel? { gateway.engine.best(side) }

  /// At most `limit` levels of a side, best first.
  public func levels(_ side: Side, limit: Int) -> [BookLevel] {
    gateway.engine.levels(side, limit: limit)
  }

  /// The hash of the engine's state; see ``MatchingEngine/stateHash``.
  public var stateHash: UInt64 { gateway.engine.stateHash }
}
