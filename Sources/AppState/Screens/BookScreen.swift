// The order book of one instrument (OB3, OB4): 20 rows a side with bars on one scale for both
// sides.

public import MarketModel
import MarketStreams
import VenueProtocols

/// The order book of one instrument.
public struct BookScreen: Screen {
  /// The book now.
  public private(set) var state: BookState
  /// The instrument's book; nothing for a symbol that does not exist.
  public let wanted: Set<MarketKey>

  private var stream: BookStream

  /// Opens the book of any symbol, as a deep link may name it.
  public init(symbol: Symbol, origin: DataOrigin = .venue) {
    let instrument = BookCatalogue.instrument(symbol)
    stream = BookStream(
      instrument?.bookKey ?? MarketKey(.bitmex, .book, symbol), origin: origin)
    wanted = instrument.map { [$0.bookKey] } ?? []
    state = BookState(
      symbol: symbol, instrument: instrument, status: .waiting, freshness: .waiting(origin),
      bids: [], asks: [], bidLevels: 0, askLevels: 0, sequence: 0, resyncs: 0)
  }

  /// Takes the instrument's book and statuses of its venue.
  ///
  /// O(rows).
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    guard let instrument = state.instrument, let news = input.stream, stream.receive(news) else {
      return []
    }
    if case .value = input, let view = stream.value {
      guard view.isKnown else {
        state.instrument = nil
        return []
      }
      draw(view, instrument)
    }
    state.freshness = stream.freshness
    return []
  }

  /// Nothing can be done here but to switch the units, which each face does by itself.
  public typealias Action = Never

  private mutating func draw(_ view: BookView, _ instrument: BookInstrument) {
    let bids = view.bids.prefix(BookView.depth)
    let asks = view.asks.prefix(BookView.depth)
    let largest = (Array(bids) + Array(asks)).map(\.accumulated.units).max() ?? 0
    state.status = view.status
    state.priceDecimals = view.priceDecimals
    state.bids = bids.map { row($0, of: view, instrument, largest: largest) }
    state.asks = asks.map { row($0, of: view, instrument, largest: largest) }
    state.spread = spread(of: view)
    (state.bidLevels, state.askLevels) = (view.bidLevels, view.askLevels)
    (state.sequence, state.resyncs) = (view.sequence, view.resyncs)
  }

  private func row(
    _ row: BookRow, of view: BookView, _ instrument: BookInstrument, largest: Int64
  ) -> BookRowState {
    let share = roundedQuotient(
      max(0, row.accumulated.units).magnitude, times: 1000, by: max(0, largest).magnitude)
    return BookRowState(
      price: shown(row.price, priceScale: view.priceScale, decimals: view.priceDecimals),
      size: FixedDecimal(row.size, scale: view.quantityScale),
      sizeInBase: instrument.sizeInBase(
        row.size, at: row.price, quantityScale: view.quantityScale, priceScale: view.priceScale),
      barThousandths: Int(min(1000, share ?? 0)))
  }

  private func spread(of view: BookView) -> FixedDecimal? {
    guard let bid = view.bids.first?.price.units, let ask = view.asks.first?.price.units else {
      return nil
    }
    let (difference, overflow) = ask.subtractingReportingOverflow(bid)
    guard !overflow, difference >= 0 else { return nil }
    return shown(
      Price(units: difference), priceScale: view.priceScale, decimals: view.priceDecimals)
  }
}

/// A price at the decimals of its instrument, or with all its digits where those would lose some.
func shown(_ price: Price, priceScale: Scale, decimals: Scale) -> FixedDecimal {
  let exact = FixedDecimal(price, scale: priceScale)
  return exact.exactly(at: decimals) ?? exact
}
