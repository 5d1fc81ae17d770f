public import MarketModel
import MarketStreams
public import VenueCatalogue

/// A trade as drawn.
public struct TradeRowState: Equatable, Sendable {
  /// The row's identity, which counts up: a new row is highlighted for 0.2 s (OB6).
  public let arrival: UInt64
  /// The price.
  public let price: FixedDecimal
  /// The size in contracts.
  public let size: FixedDecimal
  /// The size in the base currency, at four decimals; nil if meaningless.
  public let sizeInBase: FixedDecimal?
  /// The aggressor's side; nil if the venue sends none.
  public let side: Side?
  /// The venue's time.
  public let time: Timestamp
}

/// A print as drawn: a trade, or the trades of one sweep.
public struct PrintRowState: Equatable, Sendable {
  /// The number of its first trade, which identifies the row as the sweep grows, and counts up.
  public let arrival: UInt64
  /// The price that it reached.
  public let price: FixedDecimal
  /// The price at which it began, if different.
  public let from: FixedDecimal?
  /// The size of all its trades.
  public let size: FixedDecimal
  /// The size in the base currency, at four decimals; nil if meaningless.
  public let sizeInBase: FixedDecimal?
  /// The aggressor's side; nil if the venue sends none.
  public let side: Side?
  /// The venue's time.
  public let time: Timestamp
  /// The number of trades in it.
  public let count: Int
  /// The size in thousandths of the largest print shown.
  public let barThousandths: Int
}

/// The latest trades as drawn: topic `trades/…` of docs/page-protocol.md.
public struct TradesState: Equatable, Sendable {
  /// The requested symbol.
  public internal(set) var symbol: Symbol
  /// The instrument; nil for an unknown symbol.
  public internal(set) var instrument: BookInstrument?
  /// Whether the list is valid now.
  public internal(set) var freshness: Freshness
  /// Decimals of prices; nil before the first view.
  public internal(set) var priceDecimals: Scale?
  /// At most 30, newest first.
  public internal(set) var trades: [TradeRowState]
  /// The latest trades grouped by sweep; at most 30 rows, newest first.
  public internal(set) var prints: [PrintRowState] = []
  /// Minimum sizes to filter prints by, smallest first; fixed once known.
  public internal(set) var sizeSteps: [FixedDecimal] = []
}

/// The latest trades of one instrument (OB5, OB6).
public struct TradesScreen: Screen {
  /// The maximum number of trades shown.
  public static let limit = 30

  /// The current trades.
  public private(set) var state: TradesState
  /// The instrument's trades; empty for an unknown symbol.
  public let wanted: Set<MarketKey>

  /// The instrument of the symbol; the venue may still report it as unknown, and later as known.
  private let instrument: BookInstrument?
  private var stream: TapeStream
  private var prints = TradePrints(tapeDepth: TradesScreen.limit)

  /// Opens the trades of a market.
  ///
  /// `symbol` is a symbol or "VENUE:SYMBOL" (``VenueCatalogue/BookCatalogue``). An unlisted one
  /// does not exist if its venue is one of the `closed` ones.
  public init(symbol: Symbol, origin: DataOrigin = .venue, closed: Set<Venue> = []) {
    let instrument = BookCatalogue.instrument(symbol, closed: closed)
    self.instrument = instrument
    stream = TapeStream(
      instrument?.tradesKey ?? MarketKey(.bitmex, .trades, symbol), origin: origin)
    wanted = instrument.map { [$0.tradesKey] } ?? []
    state = TradesState(
      symbol: instrument?.symbol ?? symbol, instrument: instrument, freshness: .waiting(origin),
      trades: [])
  }

  /// Applies the instrument's trades and connection statuses.
  ///
  /// O(rows).
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    guard let instrument, let news = input.stream, stream.receive(news) else {
      return []
    }
    if case .value = input, let tape = stream.value {
      state.instrument = tape.isKnown ? instrument.listed(as: tape.listed) : nil
      state.freshness = stream.freshness
      guard tape.isKnown else { return [] }
      state.priceDecimals = tape.priceDecimals
      let latest = tape.trades.prefix(TradesScreen.limit)
      state.trades = latest.map { row($0, of: tape, instrument) }
      prints.take(Array(latest))
      draw(prints.prints, of: tape, instrument)
    }
    state.freshness = stream.freshness
    return []
  }

  /// No actions.
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

  private mutating func draw(
    _ prints: [TradePrint], of tape: TapeView, _ instrument: BookInstrument
  ) {
    let largest = prints.map(\.size.units).max() ?? 0
    state.prints = prints.map { row($0, of: tape, instrument, largest) }
    if state.sizeSteps.isEmpty {
      state.sizeSteps = self.prints.sizeSteps.map {
        FixedDecimal($0, scale: tape.quantityScale).trimmed
      }
    }
  }

  private func row(
    _ print: TradePrint, of tape: TapeView, _ instrument: BookInstrument, _ largest: Int64
  ) -> PrintRowState {
    let whole = row(print.last, of: tape, instrument)
    let first = shown(print.first.price, priceScale: tape.priceScale, decimals: tape.priceDecimals)
    let share = roundedQuotient(
      max(0, print.size.units).magnitude, times: 1000, by: max(0, largest).magnitude)
    return PrintRowState(
      arrival: print.first.arrival, price: whole.price, from: first == whole.price ? nil : first,
      size: FixedDecimal(print.size, scale: tape.quantityScale),
      sizeInBase: print.trades.count == 1
        ? whole.sizeInBase : baseSize(print.trades, of: tape, instrument),
      side: print.last.side, time: print.last.time, count: print.trades.count,
      barThousandths: Int(min(1000, share ?? 0)))
  }

  private func baseSize(
    _ trades: [Trade], of tape: TapeView, _ instrument: BookInstrument
  ) -> FixedDecimal? {
    var sum: FixedDecimal?
    for trade in trades {
      guard let part = row(trade, of: tape, instrument).sizeInBase else { return nil }
      sum = FixedDecimal(units: saturatingSum(sum?.units ?? 0, part.units), scale: part.scale)
    }
    return sum
  }
}
