// Recent trades of one instrument (OB5, OB6): the latest 30, newest first.

public import MarketModel
import MarketStreams
public import VenueProtocols

/// A trade as it is drawn.
public struct TradeRowState: Equatable, Sendable {
  /// Identifies the row and counts up: a row whose number is new since the last state has just been
  /// added and is highlighted for 0.2 s (OB6).
  public let arrival: UInt64
  /// The price.
  public let price: FixedDecimal
  /// The size in contracts.
  public let size: FixedDecimal
  /// The same size in the base currency, at four decimals; nil where that means nothing.
  public let sizeInBase: FixedDecimal?
  /// The taker's side; nil when the venue names none.
  public let side: Side?
  /// The venue's time.
  public let time: Timestamp
}

/// The latest trades as they are drawn: topic `trades/…` of docs/page-protocol.md.
public struct TradesState: Equatable, Sendable {
  /// The symbol asked for.
  public internal(set) var symbol: Symbol
  /// The instrument; nil for a symbol that does not exist.
  public internal(set) var instrument: BookInstrument?
  /// Whether the list can be believed now.
  public internal(set) var freshness: Freshness
  /// Decimals to show for prices; nil before the first view.
  public internal(set) var priceDecimals: Scale?
  /// At most 30, newest first.
  public internal(set) var trades: [TradeRowState]
}

/// The latest trades of one instrument.
public struct TradesScreen: Screen {
  /// Trades shown.
  public static let limit = 30

  /// The trades now.
  public private(set) var state: TradesState
  /// The instrument's trades; nothing for a symbol that does not exist.
  public let wanted: Set<MarketKey>

  private var stream: TapeStream

  /// Opens the trades of any symbol, as a deep link may name it.
  public init(symbol: Symbol, origin: DataOrigin = .venue) {
    let instrument = BookCatalogue.instrument(symbol)
    stream = TapeStream(
      instrument?.tradesKey ?? MarketKey(.bitmex, .trades, symbol), origin: origin)
    wanted = instrument.map { [$0.tradesKey] } ?? []
    state = TradesState(
      symbol: symbol, instrument: instrument, freshness: .waiting(origin), trades: [])
  }

  /// Takes the instrument's trades and statuses of its venue.
  ///
  /// O(rows).
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    guard let instrument = state.instrument, let news = input.stream, stream.receive(news) else {
      return []
    }
    if case .value = input, let tape = stream.value {
      guard tape.isKnown else {
        state.instrument = nil
        return []
      }
      state.priceDecimals = tape.priceDecimals
      state.trades = tape.trades.prefix(TradesScreen.limit).map { row($0, of: tape, instrument) }
    }
    state.freshness = stream.freshness
    return []
  }

  /// Nothing can be done here.
  public typealias Action = Never

  private func row(
    _ trade: Trade, of tape: TapeView, _ instrument: BookInstrument
  ) -> TradeRowState {
    TradeRowState(
      arrival: trade.arrival,
      price: shown(trade.price, priceScale: tape.priceScale, decimals: tape.priceDecimals),
      size: FixedDecimal(trade.size, scale: tape.quantityScale),
      sizeInBase: instrument.sizeInBase(
        trade.size, at: trade.price, quantityScale: tape.quantityScale,
        priceScale: tape.priceScale),
      side: trade.side, time: trade.time)
  }
}
