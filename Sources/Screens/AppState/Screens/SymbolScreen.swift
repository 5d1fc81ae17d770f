// Details of one stock of the price tracker (PT4). It watches the stream that the feed watches, so
// it opens no second socket (PT6).

public import MarketModel
import MarketStreams
import VenueCatalogue

/// What the details of a stock show: topic `symbol/…` of docs/page-protocol.md.
public struct SymbolState: Equatable, Sendable {
  /// What is known of a stock that exists.
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
    /// Where the price went at its last change.
    public internal(set) var direction: Direction
    /// Counts changes of the price.
    public internal(set) var changes: UInt64
    /// Whether the price can be believed now.
    public internal(set) var freshness: Freshness
  }

  /// The symbol asked for: the title.
  public internal(set) var symbol: Symbol
  /// Nil for a symbol that does not exist.
  public internal(set) var details: Details?
}

/// The details of one stock.
public struct SymbolScreen: Screen {
  /// The details now.
  public private(set) var state: SymbolState
  /// The stock's quotes; nothing for a symbol that does not exist.
  public let wanted: Set<MarketKey>

  private var stream: QuoteStream

  /// Opens the details of any symbol, as a deep link may name it.
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

  /// Takes the stock's quotes and statuses of the echo venue.
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

  /// Nothing can be done here.
  public typealias Action = Never
}
