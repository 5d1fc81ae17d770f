import MarketModel
import OrderMatching

/// Seeded commands around one price, independent of the book, so that many name dead or unknown
/// orders.
struct RandomCommands {
  private var random: SplitMix64
  private var entered: UInt64 = 0
  private let span: Int64

  /// `span` is the maximum distance of prices from the middle; 1 command in about 30 is malformed.
  init(seed: UInt64, span: Int64 = 40) {
    random = SplitMix64(seed: seed)
    self.span = span
  }

  mutating func next() -> OrderCommand {
    switch random.below(100) {
    case 0..<58: return .enter(newOrder(.limit(price())))
    case 58..<62: return .enter(newOrder(.market))
    case 62..<66: return .enter(newOrder(.immediateOrCancel(price())))
    case 66..<70: return .enter(newOrder(.fillOrKill(price())))
    case 70..<88: return .cancel(someID())
    default: return .modify(someID(), price: price(), quantity: quantity())
    }
  }

  private mutating func newOrder(_ kind: OrderKind) -> NewOrder {
    entered += 1
    let id = random.below(60) == 0 ? someID() : OrderID(entered)
    return NewOrder(
      id: id, trader: TraderID(UInt32(random.below(6))), side: random.below(2) == 0 ? .buy : .sell,
      kind: kind, quantity: quantity())
  }

  private mutating func someID() -> OrderID {
    OrderID(entered - UInt64(random.below(Int64(min(entered, 200) + 1))))
  }

  private mutating func price() -> Price {
    switch random.below(120) {
    case 0: return Price(units: [0, -1, .min, .max, 1 << 24][Int(random.below(5))])
    case 1: return Price(units: 1 + random.below((1 << 24) - 1))
    default: return Price(units: 5000 + random.below(2 * span + 1) - span)
    }
  }

  private mutating func quantity() -> Quantity {
    switch random.below(120) {
    case 0: return Quantity(units: [0, -1, .min, .max, 1_000_000_001][Int(random.below(5))])
    case 1: return Quantity(units: 1_000_000_000)
    default: return Quantity(units: 1 + random.below(50))
    }
  }
}
