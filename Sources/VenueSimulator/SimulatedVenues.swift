// The simulated venues as a host runs them: five behind paths of one port, and a TCP feed.

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
    /// What goes wrong, by venue.
    public var faults: [VenueName: FaultPlan] = [:]

    /// The defaults: everything works.
    public init() {}
  }

  /// The WebSocket and HTTP venues by the prefix of their paths.
  ///
  /// "/bitmex/realtime" belongs to the venue of "/bitmex", which sees "/realtime". Behind "/isin"
  /// and "/echo" there is nothing: those venues take any path, "" and "/" included.
  public var routed: [(prefix: String, venue: any SimulatedVenue)]
  /// The raw TCP tick feed.
  public var exchange: any SimulatedVenue

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
    let bitmex = SimulatedBitMEX(
      seed: seed, start: start, generation: options.bitmexGeneration)
    let kraken = SimulatedKraken(seed: seed, start: start)
    let isin = SimulatedIsinStream(
      seed: seed, start: start, behaviour: options.isinBehaviour,
      stockStartCents: options.stockStartCents)
    let bux = SimulatedBux(
      seed: seed, start: start, acceptedToken: options.buxToken,
      stockStartCents: options.stockStartCents)
    let exchange = SimulatedExchange(
      seed: seed, start: start, intervalMilliseconds: options.exchangeIntervalMilliseconds)
    return SimulatedVenues(
      routed: [
        ("/bitmex", faulty(bitmex, .bitmex, seed, options)),
        ("/kraken", faulty(kraken, .kraken, seed, options)),
        ("/isin", faulty(isin, .isin, seed, options)),
        ("/bux", faulty(bux, .bux, seed, options)),
        ("/echo", faulty(SimulatedEcho(), .echo, seed, options)),
      ],
      exchange: faulty(exchange, .exchange, seed, options))
  }

  private static func faulty(
    _ venue: some SimulatedVenue, _ name: VenueName, _ seed: UInt64, _ options: Options
  ) -> any SimulatedVenue {
    FaultyVenue(
      venue, plan: options.faults[name] ?? .none, seed: SeedText.seed(seed, name.rawValue))
  }
}
