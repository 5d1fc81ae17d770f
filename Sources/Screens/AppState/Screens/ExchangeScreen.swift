public import MarketModel
import MarketStreams
import PaperTrading
import VenueCatalogue

/// The exchange's stock (EX1): topic `exchange` of docs/page-protocol.md.
public struct ExchangeState: Equatable, Sendable {
  /// The stock.
  public internal(set) var symbol: Symbol
  /// ISO 4217 code of the prices.
  public internal(set) var currency: String
  /// Decimals to show.
  public internal(set) var decimals: Scale
  /// The tick size of limit prices.
  public internal(set) var priceStep: FixedDecimal
  /// The lot size.
  public internal(set) var quantityStep: FixedDecimal
  /// Last traded price; nil before the first tick.
  public internal(set) var price: FixedDecimal?
  /// The best bid.
  public internal(set) var bid: FixedDecimal?
  /// The size of ``bid`` in shares.
  public internal(set) var bidSize: Quantity?
  /// The best ask.
  public internal(set) var ask: FixedDecimal?
  /// The size of ``ask`` in shares.
  public internal(set) var askSize: Quantity?
  /// The direction of the last price change.
  public internal(set) var direction: Direction
  /// The number of price changes.
  public internal(set) var changes: UInt64
  /// Whether the tick is valid now.
  public internal(set) var freshness: Freshness
}

/// The exchange's stock.
public struct ExchangeScreen: Screen {
  /// The current state.
  public private(set) var state: ExchangeState
  /// The stock's ticks.
  public let wanted: Set<MarketKey>

  private var stream: QuoteStream

  /// Creates the screen of the listed stock, usually ``ExchangeCatalogue/symbol``.
  public init(symbol: Symbol, origin: DataOrigin = .venue) {
    stream = QuoteStream(MarketKey(.exchange, .quote, symbol), origin: origin)
    wanted = [stream.key]
    let rules = TradingRules(oneStock: symbol)
    state = ExchangeState(
      symbol: symbol, currency: ExchangeCatalogue.currency, decimals: ExchangeCatalogue.decimals,
      priceStep: rules.decimal(rules.tick), quantityStep: rules.decimal(rules.lot),
      direction: .unchanged, changes: 0, freshness: .waiting(origin))
  }

  /// Applies ticks and connection statuses.
  ///
  /// Each tick is a snapshot: a missing value is unknown.
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

  /// No actions.
  public typealias Action = Never
}
