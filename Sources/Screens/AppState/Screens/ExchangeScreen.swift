// The one stock of the tick-by-tick exchange (EX1): last price and the best offers with their
// sizes.

public import MarketModel
import MarketStreams
import PaperTrading
import VenueCatalogue

/// What the exchange's stock shows: topic `exchange` of docs/page-protocol.md.
public struct ExchangeState: Equatable, Sendable {
  /// The stock.
  public internal(set) var symbol: Symbol
  /// ISO 4217 code of the prices.
  public internal(set) var currency: String
  /// Decimals to show.
  public internal(set) var decimals: Scale
  /// The step of limit prices.
  public internal(set) var priceStep: FixedDecimal
  /// The step of order quantities.
  public internal(set) var quantityStep: FixedDecimal
  /// Last traded price; nil before the first tick.
  public internal(set) var price: FixedDecimal?
  /// Best price that buyers offer.
  public internal(set) var bid: FixedDecimal?
  /// Shares wanted at ``bid``.
  public internal(set) var bidSize: Quantity?
  /// Best price that sellers ask.
  public internal(set) var ask: FixedDecimal?
  /// Shares offered at ``ask``.
  public internal(set) var askSize: Quantity?
  /// Where the price went at its last change.
  public internal(set) var direction: Direction
  /// Counts changes of the price.
  public internal(set) var changes: UInt64
  /// Whether the tick can be believed now.
  public internal(set) var freshness: Freshness
}

/// The exchange's stock.
public struct ExchangeScreen: Screen {
  /// The stock now.
  public private(set) var state: ExchangeState
  /// The stock's ticks.
  public let wanted: Set<MarketKey>

  private var stream: QuoteStream

  /// Makes the screen of the listed stock, usually ``ExchangeCatalogue/symbol``.
  public init(symbol: Symbol, origin: DataOrigin = .venue) {
    stream = QuoteStream(MarketKey(.exchange, .quote, symbol), origin: origin)
    wanted = [stream.key]
    let rules = TradingRules(oneStock: symbol)
    state = ExchangeState(
      symbol: symbol, currency: ExchangeCatalogue.currency, decimals: ExchangeCatalogue.decimals,
      priceStep: rules.decimal(rules.tick), quantityStep: rules.decimal(rules.lot),
      direction: .unchanged, changes: 0, freshness: .waiting(origin))
  }

  /// Takes ticks and statuses of the exchange.
  ///
  /// Each tick is a snapshot: what it lacks is unknown.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    guard let news = input.stream, stream.receive(news) else { return [] }
    if let quote = stream.value {
      (state.price, state.direction, state.changes) = (quote.price, quote.direction, quote.changes)
      (state.bid, state.bidSize) = (quote.bid, quote.bidSize)
      (state.ask, state.askSize) = (quote.ask, quote.askSize)
    }
    state.freshness = stream.freshness
    return []
  }

  /// Nothing can be done here.
  public typealias Action = Never
}
