// Recent trades of one instrument (OB5, OB6): the latest 30, newest first.

public import MarketModel
import MarketStreams
public import VenueCatalogue

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

/// A print as it is drawn: a trade, or the trades of one sweep.
public struct PrintRowState: Equatable, Sendable {
  /// The number of its first trade: identifies the row, however the sweep grows, and counts up.
  public let arrival: UInt64
  /// The price that it reached.
  public let price: FixedDecimal
  /// The price at which it began, when that was another one.
  public let from: FixedDecimal?
  /// The size of all its trades.
  public let size: FixedDecimal
  /// The same size in the base currency, at four decimals; nil where that means nothing.
  public let sizeInBase: FixedDecimal?
  /// The taker's side; nil when the venue names none.
  public let side: Side?
  /// The venue's time.
  public let time: Timestamp
  /// Trades that it joins.
  public let count: Int
  /// The size in thousandths of the largest print shown.
  public let barThousandths: Int
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
  /// The latest trades with those of one sweep joined; at most 30 rows, newest first.
  public internal(set) var prints: [PrintRowState] = []
  /// Sizes from which on a person may want to see prints, smallest first; fixed once known.
  public internal(set) var sizeSteps: [FixedDecimal] = []
}

/// The latest trades of one instrument.
public struct TradesScreen: Screen {
  /// Trades shown.
  public static let limit = 30

  /// The trades now.
  public private(set) var state: TradesState
  /// The instrument's trades; nothing for a symbol that does not exist.
  public let wanted: Set<MarketKey>

  /// What the symbol names; whether the venue has it too, it says, and may say otherwise later.
  private let instrument: BookInstrument?
  private var stream: TapeStream
  private var prints = TradePrints(tapeDepth: TradesScreen.limit)

  /// Opens the trades of any symbol, as a deep link may name it; a name that no list has does not
  /// exist where its venue is among the `closed` ones.
  public init(symbol: Symbol, origin: DataOrigin = .venue, closed: Set<Venue> = []) {
    let instrument = BookCatalogue.instrument(symbol, closed: closed)
    self.instrument = instrument
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
    guard let instrument, let news = input.stream, stream.receive(news) else {
      return []
    }
    if case .value = input, let tape = stream.value {
      state.instrument = tape.isKnown ? instrument : nil
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
    let first = shown(
      print.first.price, priceScale: tape.priceScale, decimals: tape.priceDecimals)
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

  /// The sum of the trades' sizes in the base currency.
  private func baseSize(
    _ trades: [Trade], of tape: TapeView, _ instrument: BookInstrument
  ) -> FixedDecimal? {
    var sum: FixedDecimal?
    for trade in trades {
      guard let part = row(trade, of: tape, instrument).sizeInBase else { return nil }
      sum = FixedDecimal(
        units: saturatingSum(sum?.units ?? 0, part.units), scale: part.scale)
    }
    return sum
  }
}
