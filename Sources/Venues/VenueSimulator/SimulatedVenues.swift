public import MarketModel

/// All simulated venues: behind paths of one HTTP port, the tick feed behind a TCP port.
public struct SimulatedVenues: Sendable {
  /// The options of the venues.
  public struct Options: Sendable {
    /// The years of BitMEX's rows.
    public var bitmexGeneration = BitMEXGeneration.modern
    /// OKX's behaviour.
    public var okx = OKXBehaviour()
    /// Bybit's behaviour.
    public var bybit = BybitBehaviour()
    /// Binance's behaviour.
    public var binance = BinanceBehaviour()
    /// The ISIN stream's behaviour.
    public var isinBehaviour = IsinStreamBehaviour.usable
    /// Start prices of stocks in cents, by ISIN: in dollars for US ISINs, in euros for others.
    public var stockStartCents: [String: Int64] = [:]
    /// The only token that BUX accepts; nil for any.
    public var buxToken: String?
    /// Milliseconds between the exchange's ticks.
    public var exchangeIntervalMilliseconds: Int64 = 1000
    /// Whether Kraken limits its public calls: 15 at once, then one a second.
    public var limitsKrakenCalls = true
    /// The markets of venues with order books.
    public var markets: [Venue: OpenedMarkets] = [:]
    /// The planned faults, by venue.
    public var faults: [Venue: FaultPlan] = [:]

    /// The defaults, without faults.
    public init() {}
  }

  /// The simulation of each venue.
  ///
  /// Those of HTTP and WebSockets are behind ``MarketModel/Venue/simulatedPrefix``:
  /// "/bitmex/realtime" belongs to BitMEX, which receives "/realtime". "/isin" and "/echo" have no
  /// paths of their own: those venues accept any path, "" and "/" included.
  public var all: [Venue: any SimulatedVenue]

  /// Creates the venues, without connections.
  ///
  /// Each is a ``FaultInjecting``, so that its faults can be changed while it runs.
  ///
  /// - Parameters:
  ///   - seed: The seed of every market, delay and fault.
  ///   - start: When the markets start; the first call must not be earlier.
  ///   - options: The options.
  ///   - venues: The venues to create.
  /// - Returns: The venues.
  public static func make(
    seed: UInt64, start: Timestamp, options: Options = Options(),
    venues: [Venue] = Venue.allCases
  ) -> SimulatedVenues {
    let all = venues.map { venue in
      let faults = SeedText.seed(seed, venue.rawValue)
      return (
        venue,
        simulation(of: venue, seed: seed, faults: faults, start: start, options)
      )
    }
    return SimulatedVenues(all: Dictionary(uniqueKeysWithValues: all))
  }

  static func simulation(
    of venue: Venue, seed: UInt64, faults: UInt64, start: Timestamp, _ options: Options
  ) -> any SimulatedVenue & FaultInjecting {
    func faulty(_ simulation: some SimulatedVenue) -> any SimulatedVenue & FaultInjecting {
      FaultyVenue(simulation, plan: options.faults[venue] ?? .none, seed: faults)
    }
    let markets = options.markets[venue] ?? .all
    return switch venue {
    case .bitmex:
      faulty(
        SimulatedBitMEX(
          seed: seed, start: start, generation: options.bitmexGeneration, markets: markets))
    case .kraken:
      faulty(
        SimulatedKraken(
          seed: seed, start: start, limitsCalls: options.limitsKrakenCalls, markets: markets))
    case .coinbase: faulty(SimulatedCoinbase(seed: seed, start: start, markets: markets))
    case .okx:
      faulty(SimulatedOKX(seed: seed, start: start, behaviour: options.okx, markets: markets))
    case .bybit:
      faulty(SimulatedBybit(seed: seed, start: start, behaviour: options.bybit, markets: markets))
    case .bybitLinear:
      faulty(
        SimulatedBybit(
          .linear, seed: seed, start: start, behaviour: options.bybit, markets: markets))
    case .binance:
      faulty(
        SimulatedBinance(seed: seed, start: start, behaviour: options.binance, markets: markets))
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

/// A WebSocket echo like wss://ws.postman-echo.com/raw, for the price tracker: returns every
/// message to its sender, unchanged and of the same kind.
///
/// It sends no greeting and keeps no state.
public struct SimulatedEcho: SimulatedVenue {
  /// The longest message that is echoed, in bytes; a longer one closes the connection with 1009.
  public static let maximumMessageBytes = 1 << 20

  /// Creates an echo.
  public init() {}

  /// Sends no greeting.
  public mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] { [] }

  /// Echoes the message.
  public mutating func receive(
    _ bytes: [UInt8], binary: Bool, from client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    guard bytes.count <= SimulatedEcho.maximumMessageBytes else {
      return [.close(client, code: 1009, reason: "message too big")]
    }
    return [.send(to: [client], bytes: bytes, binary: binary)]
  }

  /// Does nothing: there is no state.
  public mutating func disconnect(_ client: ClientID) {}

  /// Does nothing.
  public mutating func advance(to now: Timestamp) -> [VenueEffect] { [] }

  /// Always nil.
  public var nextEvent: Timestamp? { nil }
}
