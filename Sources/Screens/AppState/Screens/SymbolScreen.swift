public import MarketModel
import MarketStreams
import VenueCatalogue

/// The details of a stock (PT4): topic `symbol/…` of docs/page-protocol.md.
public struct SymbolState: Equatable, Sendable {
  /// The details of a stock that exists.
  public struct Details: Equatable, Sendable {
    /// The company's short name.
    public internal(set) var name: String
    /// What the company does, in one sentence.
    public internal(set) var about: String
    /// ISO 4217 code of the price.
    public internal(set) var currency: String
    /// Decimals to show.
    public internal(set) var decimals: Scale
    /// The latest price; nil before the first.
    public internal(set) var price: FixedDecimal?
    /// The direction of the last price change.
    public internal(set) var direction: Direction
    /// The number of price changes.
    public internal(set) var changes: UInt64
    /// Whether the price is valid now.
    public internal(set) var freshness: Freshness
  }

  /// The requested symbol, which is the title.
  public internal(set) var symbol: Symbol
  /// nil for an unknown symbol.
  public internal(set) var details: Details?
}

/// The details of one stock, from the feed's stream, so no second socket is opened (PT6).
public struct SymbolScreen: Screen {
  /// The current details.
  public private(set) var state: SymbolState
  /// The stock's quotes; empty for an unknown symbol.
  public let wanted: Set<MarketKey>

  private var stream: QuoteStream

  /// Opens the details of any symbol, for example from a deep link.
  public init(symbol: Symbol, origin: DataOrigin = .venue) {
    stream = QuoteStream(MarketKey(.echo, .quote, symbol), origin: origin)
    guard let stock = StockCatalogue.stock(symbol) else {
      state = SymbolState(symbol: symbol)
      wanted = []
      return
    }
    wanted = [stream.key]
    state = SymbolState(
      symbol: symbol,
      details: SymbolState.Details(
        name: stock.name, about: stock.about, currency: StockCatalogue.currency,
        decimals: StockCatalogue.decimals, direction: .unchanged, changes: 0,
        freshness: .waiting(origin)))
  }

  /// Applies the stock's quotes and statuses of the echo venue.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    guard var details = state.details, let news = input.stream, stream.receive(news) else {
      return []
    }
    if let quote = stream.value {
      details.price = quote.price
      details.direction = quote.direction
      details.changes = quote.changes
    }
    details.freshness = stream.freshness
    state.details = details
    return []
  }

  /// No actions.
  public typealias Action = Never
}
