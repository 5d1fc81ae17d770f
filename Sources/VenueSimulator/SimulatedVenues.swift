// Temporary until the simulator's own entry is merged.
public import MarketModel
public struct SimulatedVenues {
  public var web: [(prefix: String, venue: any SimulatedVenue)]
  public var exchange: any SimulatedVenue
  public static func make(seed: UInt64, start: Timestamp, tickMilliseconds: Int64) -> SimulatedVenues {
    SimulatedVenues(web: [("/bitmex", SimulatedBitMEX(seed: seed, start: start)), ("/isin", SimulatedIsinStream(seed: seed)), ("/bux", SimulatedBux(seed: seed, start: start)), ("/echo", SimulatedEcho())], exchange: SimulatedExchange(seed: seed, start: start, intervalMilliseconds: tickMilliseconds))
  }
}
