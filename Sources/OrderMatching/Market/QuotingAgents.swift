// The agents of a quoted market: two market makers, traders with an opinion and traders without.

import MarketModel

/// Everybody who trades in a quoted market, in the order in which they act.
struct QuotingAgents: Sendable {
  private var makers = [
    MarketMaker(trader: TraderID(1), levels: 6, halfSpread: 3, patience: 12),
    MarketMaker(trader: TraderID(2), levels: 4, halfSpread: 1, patience: 1),
  ]
  private let valueTraders = ValueTraders(first: 100, count: 50)
  private var noiseTraders = NoiseTraders(first: 1000, count: 1000)

  /// Quotes both sides.
  mutating func open<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, value: Int64, _ random: inout SplitMix64
  ) {
    for index in makers.indices { makers[index].act(through: &gateway, value: value, &random) }
  }

  /// The makers act last, so that what the others took or moved is quoted again.
  mutating func act<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, value: Int64, _ random: inout SplitMix64
  ) {
    valueTraders.act(through: &gateway, value: value, &random)
    noiseTraders.act(through: &gateway, &random)
    open(through: &gateway, value: value, &random)
  }
}
