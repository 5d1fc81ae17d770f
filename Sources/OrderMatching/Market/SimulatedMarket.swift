// A market that looks like one: agents trading with each other through a matching engine, moved on
// by virtual time. It is what the simulated exchange shows to its clients.

public import MarketModel

/// A seeded market of one stock: an engine, two market makers, value traders and noise traders.
///
/// Equal seeds and equal total time give equal markets, however the time is cut into calls. With
/// the defaults and a tick of 0.01, the last price changes by about 0.08 a second (one deviation)
/// around the start price, the spread is mostly 1 to 5 ticks, and mostly 10 to 60 lots are at the
/// touch.
public struct SimulatedMarket<Engine: MatchingEngine>: Sendable {
  /// The market moves in steps of this length.
  public static var stepMilliseconds: Int64 { 50 }
  /// The most virtual time one call moves on; a host that slept longer loses the rest.
  public static var longestAdvanceMilliseconds: Int64 { 3_600_000 }

  private var random: SplitMix64
  private var floor: TradingFloor<Engine>
  private var value: FundamentalValue
  private var makers: [MarketMaker]
  private let valueTraders: ValueTraders
  private var noiseTraders: NoiseTraders
  private var pendingMilliseconds: Int64 = 0

  /// Opens a market on any engine; both sides are quoted from the start.
  /// - Parameters:
  ///   - engine: The type of engine that matches.
  ///   - seed: Decides all that will ever happen.
  ///   - startPrice: In ticks; moved to 100 or 4,000,000 when it is outside them.
  ///   - volatility: The deviation of the value's change in one second, in ticks, 0 to 100; the
  ///     last price moves a third more, between bids and asks.
  public init(
    on engine: Engine.Type, seed: UInt64, startPrice: Price = Price(units: 4500),
    volatility: Int64 = 6
  ) {
    let start = Price(units: startPrice.units.clamped(to: 100...4_000_000))
    random = SplitMix64(seed: seed)
    floor = TradingFloor(start: start)
    value = FundamentalValue(start: start, volatility: volatility.clamped(to: 0...100))
    makers = [
      MarketMaker(trader: TraderID(1), levels: 6, halfSpread: 3, patience: 12),
      MarketMaker(trader: TraderID(2), levels: 4, halfSpread: 1, patience: 1),
    ]
    valueTraders = ValueTraders(first: 100, count: 50)
    noiseTraders = NoiseTraders(first: 1000, count: 1000)
    for index in makers.indices { makers[index].act(on: &floor, value, &random) }
  }

  /// Lets virtual time pass; negative time is none.
  ///
  /// Takes about as long as ten commands for each step of 50 milliseconds.
  public mutating func advance(milliseconds: Int64) {
    floor.clearTape()
    pendingMilliseconds += milliseconds.clamped(to: 0...Self.longestAdvanceMilliseconds)
    while pendingMilliseconds >= Self.stepMilliseconds {
      pendingMilliseconds -= Self.stepMilliseconds
      step()
    }
  }

  /// The market now.
  public var snapshot: MarketSnapshot {
    MarketSnapshot(
      elapsedMilliseconds: floor.elapsedMilliseconds, last: floor.last,
      bestBid: floor.engine.best(.buy), bestAsk: floor.engine.best(.sell),
      tradedQuantity: Quantity(units: floor.tradedLots))
  }

  /// The latest trades of the latest call of ``advance(milliseconds:)``, oldest first, at most
  /// 1,000.
  public var tape: [MarketTrade] { Array(floor.tape.suffix(TradingFloor<Engine>.tapeLimit)) }

  /// At most `limit` levels of a side, best first.
  public func levels(_ side: Side, limit: Int) -> [BookLevel] {
    floor.engine.levels(side, limit: limit)
  }

  /// The hash of the engine's state; see ``MatchingEngine/stateHash``.
  public var stateHash: UInt64 { floor.engine.stateHash }

  /// The makers act last, so that what the others took or moved is quoted again.
  private mutating func step() {
    floor.elapsedMilliseconds += Self.stepMilliseconds
    value.step(&random)
    valueTraders.act(on: &floor, value, &random)
    noiseTraders.act(on: &floor, &random)
    for index in makers.indices { makers[index].act(on: &floor, value, &random) }
  }
}

extension SimulatedMarket where Engine == FastMatchingEngine {
  /// Opens a market on the fast engine; see ``init(on:seed:startPrice:volatility:)``.
  public init(seed: UInt64, startPrice: Price = Price(units: 4500), volatility: Int64 = 6) {
    self.init(
      on: FastMatchingEngine.self, seed: seed, startPrice: startPrice, volatility: volatility)
  }
}
