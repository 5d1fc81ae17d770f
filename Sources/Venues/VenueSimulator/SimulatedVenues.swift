// The simulated venues as a host runs them: those of HTTP and WebSockets behind paths of one port,
// the tick feed behind a TCP port of its own.

public import MarketModel

/// All simulated venues.
public struct SimulatedVenues: Sendable {
  /// The choices that can be made for them.
  public struct Options: Sendable {
    /// BitMEX's rows.
    public var bitmexGeneration = BitMEXGeneration.modern
    /// The ISIN stream's habits.
    public var isinBehaviour = IsinStreamBehaviour.usable
    /// What stocks cost at the start, in cents, by ISIN: dollars for those of the United States,
    /// euros for others.
    public var stockStartCents: [String: Int64] = [:]
    /// The only token that BUX accepts; nil for any.
    public var buxToken: String?
    /// Milliseconds between the exchange's ticks.
    public var exchangeIntervalMilliseconds: Int64 = 1000
    /// Whether Kraken limits its public calls: 15 at once, then one a second.
    public var limitsKrakenCalls = true
    /// What goes wrong, by venue.
    public var faults: [Venue: FaultPlan] = [:]

    /// The defaults: everything works.
    public init() {}
  }

  /// What simulates each venue.
  ///
  /// Those of HTTP and WebSockets lie behind ``MarketModel/Venue/simulatedPrefix``:
  /// "/bitmex/realtime" belongs to BitMEX, which sees "/realtime". Behind "/isin" and "/echo" there
  /// is nothing: those venues take any path, "" and "/" included.
  public var all: [Venue: any SimulatedVenue]

  /// Makes the venues.
  ///
  /// Each is a ``FaultInjecting``, so that its faults can be changed while it runs.
  ///
  /// - Parameters:
  ///   - seed: The seed of every market, delay and fault.
  ///   - start: When the markets start; the first call must not be earlier.
  ///   - options: What differs from the defaults.
  /// - Returns: The venues, nobody connected yet.
  public static func make(
    seed: UInt64, start: Timestamp, options: Options = Options()
  ) -> SimulatedVenues {
    let all = Venue.allCases.map { venue in
      (venue, simulation(of: venue, seed: seed, start: start, options))
    }
    return SimulatedVenues(all: Dictionary(uniqueKeysWithValues: all))
  }

  private static func simulation(
    of venue: Venue, seed: UInt64, start: Timestamp, _ options: Options
  ) -> any SimulatedVenue {
    func faulty(_ simulation: some SimulatedVenue) -> any SimulatedVenue {
      FaultyVenue(
        simulation, plan: options.faults[venue] ?? .none,
        seed: SeedText.seed(seed, venue.rawValue))
    }
    return switch venue {
    case .bitmex:
      faulty(SimulatedBitMEX(seed: seed, start: start, generation: options.bitmexGeneration))
    case .kraken:
      faulty(SimulatedKraken(seed: seed, start: start, limitsCalls: options.limitsKrakenCalls))
    case .isin:
      faulty(
        SimulatedIsinStream(
          seed: seed, start: start, behaviour: options.isinBehaviour,
          stockStartCents: options.stockStartCents))
    case .bux:
      faulty(
        SimulatedBux(
          seed: seed, start: start, acceptedToken: options.buxToken,
          stockStartCents: options.stockStartCents))
    case .echo: faulty(SimulatedEcho())
    case .exchange:
      faulty(
        SimulatedExchange(
          seed: seed, start: start, intervalMilliseconds: options.exchangeIntervalMilliseconds))
    }
  }
}
