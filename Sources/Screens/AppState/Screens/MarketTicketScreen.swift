public import MarketModel
import MarketStreams
import PaperTrading
import VenueCatalogue

/// What an order in a venue's market is written with: topic `ticket/VENUE/SYMBOL`.
public struct MarketTicketState: Equatable, Sendable {
  /// The market's name in orders: "kraken:BTC/USD".
  public let symbol: Symbol
  /// The quote currency; empty if unknown.
  public internal(set) var currency: String
  /// Why orders can't be placed here, as a sentence; nil if they can.
  public internal(set) var obstacle: Sentence?
  /// Decimals to show for prices.
  public internal(set) var decimals = Scale.whole
  /// The tick size; nil before the first book.
  public internal(set) var priceStep: FixedDecimal?
  /// The lot size; nil before the first book.
  public internal(set) var quantityStep: FixedDecimal?
  /// The best bid; nil for an empty side.
  public internal(set) var bid: FixedDecimal?
  /// The size of ``bid``.
  public internal(set) var bidSize: FixedDecimal?
  /// The best ask; nil for an empty side.
  public internal(set) var ask: FixedDecimal?
  /// The size of ``ask``.
  public internal(set) var askSize: FixedDecimal?
  /// Rises with every change of the visible book, each of which may change a preview.
  public internal(set) var changes: UInt64 = 0
  /// Whether the book is valid now.
  public internal(set) var freshness: Freshness
}

/// The market of a ticket: its best prices and steps, from its book.
public struct MarketTicketScreen: Screen {
  /// The current market.
  public private(set) var state: MarketTicketState
  /// The market's book.
  public let wanted: Set<MarketKey>

  private let instrument: BookInstrument
  private var stream: BookStream

  /// Opens the market; nil when no venue can have it.
  public init?(_ market: InstrumentKey, origin: DataOrigin = .venue) {
    guard let instrument = BookCatalogue.instrument(market), let symbol = market.orderSymbol
    else { return nil }
    self.instrument = instrument
    stream = BookStream(instrument.bookKey, origin: origin)
    wanted = [instrument.bookKey]
    state = MarketTicketState(
      symbol: symbol, currency: instrument.quote, obstacle: instrument.obstacle,
      freshness: .waiting(origin))
  }

  /// Applies the book and connection statuses.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    guard let news = input.stream, stream.receive(news) else { return [] }
    if case .value = input, let view = stream.value { take(view) }
    state.freshness = stream.freshness
    return []
  }

  /// No actions.
  public typealias Action = Never

  private mutating func take(_ view: BookView) {
    state.changes = view.sequence
    state.currency = instrument.listed(as: view.listed).quote
    state.obstacle =
      instrument.obstacle
      ?? (view.isKnown
        ? state.currency.isEmpty ? "The venue has not listed this market's currency yet." : nil
        : "The venue has no such market.")
    guard view.isKnown,
      let rules = TradingRules(market: state.symbol, currency: state.currency, book: view)
    else { return }
    state.decimals = view.priceDecimals
    state.priceStep = rules.decimal(rules.tick)
    state.quantityStep = rules.decimal(rules.lot)
    (state.bid, state.bidSize) = shown(view.bids.first, of: view)
    (state.ask, state.askSize) = shown(view.asks.first, of: view)
  }

  private func shown(_ row: BookRow?, of view: BookView) -> (FixedDecimal?, FixedDecimal?) {
    guard let row else { return (nil, nil) }
    let price = FixedDecimal(row.price, scale: view.priceScale).trimmed
    let padded = price.scale < view.priceDecimals ? price.exactly(at: view.priceDecimals) : nil
    return (padded ?? price, FixedDecimal(row.size, scale: view.quantityScale).trimmed)
  }
}
