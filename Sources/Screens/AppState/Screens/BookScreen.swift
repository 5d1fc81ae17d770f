public import MarketModel
import MarketStreams
import VenueCatalogue

/// The order book of one instrument (OB3, OB4): 20 rows a side with bars on a common scale.
public struct BookScreen: Screen {
  /// The current book.
  public private(set) var state: BookState
  /// The instrument's book; empty for an unknown symbol.
  public let wanted: Set<MarketKey>

  /// The instrument of the symbol; the venue may still report it as unknown, and later as known.
  private let instrument: BookInstrument?
  private var stream: BookStream
  private var checksum = BookChecksum()
  /// Whether the venue's checksum contradicts the latest rows.
  private var isContradicted = false

  /// Opens the book of a market, with grouped prices.
  ///
  /// `symbol` is a symbol or "VENUE:SYMBOL" (``VenueCatalogue/BookCatalogue``). An unlisted one
  /// does not exist if its venue is one of the `closed` ones.
  public init(
    symbol: Symbol, grouping: PriceGrouping = .none, origin: DataOrigin = .venue,
    closed: Set<Venue> = []
  ) {
    let instrument = BookCatalogue.instrument(symbol, closed: closed)
    self.instrument = instrument
    let key = MarketKey(
      instrument?.venue ?? .bitmex,
      Subscription(.book, instrument?.symbol ?? symbol, grouping: grouping))
    stream = BookStream(key, origin: origin)
    wanted = instrument == nil ? [] : [key]
    state = BookState(
      symbol: key.subscription.symbol,
      market: instrument.map { InstrumentKey($0.venue, $0.symbol) }, instrument: instrument,
      status: .waiting, freshness: .waiting(origin),
      grouping: grouping, groupings: [], bids: [], asks: [], bidLevels: 0, askLevels: 0,
      sequence: 0, resyncs: 0, proof: nil)
  }

  /// Applies the instrument's book and connection statuses.
  ///
  /// O(rows).
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    guard let instrument, let news = input.stream, stream.receive(news) else {
      return []
    }
    if case .value = input, let view = stream.value {
      state.instrument = view.isKnown ? instrument.listed(as: view.listed) : nil
      if view.isKnown { draw(view, instrument) }
    }
    state.freshness = judged(stream.freshness)
    return []
  }

  /// No actions; each client switches the units itself.
  public typealias Action = Never

  /// Rows older than the venue's last checksum are not live.
  private func judged(_ freshness: Freshness) -> Freshness {
    let isInTime = freshness.state == .live || freshness.state == .late
    return isContradicted && isInTime ? freshness.changed(to: .resyncing) : freshness
  }

  private mutating func draw(_ view: BookView, _ instrument: BookInstrument) {
    drawRows(view, instrument)
    state.status = isContradicted && view.status == .synced ? .resyncing : view.status
    state.priceDecimals = view.priceDecimals
    state.grouping = view.grouping
    state.groupings = PriceGrouping.choices(tick: view.tick, near: view.top.bid ?? view.top.ask)
      .map { grouping in
        let step = Price(units: grouping.step(tick: view.tick))
        return PriceGroupingState(
          grouping: grouping, step: FixedDecimal(step, scale: view.priceScale).trimmed)
      }
    (state.bidLevels, state.askLevels) = (view.bidLevels, view.askLevels)
    (state.sequence, state.resyncs) = (view.sequence, view.resyncs)
    (state.doubt, state.witnesses) = (view.doubt, view.witnesses)
    state.unbroken = view.unbroken
  }

  /// Updates rows, derived values and proof together; rows that contradict the checksum are never
  /// drawn.
  private mutating func drawRows(_ view: BookView, _ instrument: BookInstrument) {
    let bids = view.bids.prefix(BookView.depth)
    let asks = view.asks.prefix(BookView.depth)
    let largest = (Array(bids) + Array(asks)).map(\.accumulated.units).max() ?? 0
    let drawn = (
      bids: rows(bids, takenBy: .sell, of: view, instrument, largest),
      asks: rows(asks, takenBy: .buy, of: view, instrument, largest)
    )
    let proof = view.proof.map {
      BookProofState(proof: $0, priceScale: view.priceScale, quantityScale: view.quantityScale)
    }
    isContradicted = proof?.holds(bids: drawn.bids, asks: drawn.asks, &checksum) == false
    if isContradicted { return }
    (state.bids, state.asks, state.proof) = (drawn.bids, drawn.asks, proof)
    draw(view.top, of: view)
    state.bidThousandths = share(bids.last?.accumulated, asks.last?.accumulated)
  }

  private func rows(
    _ rows: ArraySlice<BookRow>, takenBy taker: Side, of view: BookView,
    _ instrument: BookInstrument, _ largest: Int64
  ) -> [BookRowState] {
    var cost = RunningCost(
      instrument.contract, priceScale: view.priceScale, quantityScale: view.quantityScale)
    return rows.map { row in
      cost.add(row.size, at: row.price)
      return BookRowState(
        price: shown(row.price, priceScale: view.priceScale, decimals: view.priceDecimals),
        size: FixedDecimal(row.size, scale: view.quantityScale),
        sizeInBase: instrument.sizeInBase(
          row.size, at: row.price, quantityScale: view.quantityScale,
          priceScale: view.priceScale),
        barThousandths: thousandths(row.accumulated, of: largest),
        sizeThousandths: thousandths(row.size, of: largest),
        total: FixedDecimal(row.accumulated, scale: view.quantityScale),
        cost: cost.cost,
        average: cost.average(decimals: view.priceDecimals, roundingUp: taker == .buy))
    }
  }

  private func thousandths(_ size: Quantity, of largest: Int64) -> Int {
    let share = roundedQuotient(
      max(0, size.units).magnitude, times: 1000, by: max(0, largest).magnitude)
    return Int(min(1000, share ?? 0))
  }

  private func share(_ bids: Quantity?, _ asks: Quantity?) -> Int? {
    let (own, other) = (max(0, bids?.units ?? 0), max(0, asks?.units ?? 0))
    return roundedQuotient(own.magnitude, times: 1000, by: own.magnitude + other.magnitude)
      .map { Int($0) }
  }

  private mutating func draw(_ top: BookTop, of view: BookView) {
    (state.spread, state.spreadBasisPoints) = (nil, nil)
    guard let bid = top.bid?.units, let ask = top.ask?.units else { return }
    let (difference, overflow) = ask.subtractingReportingOverflow(bid)
    guard !overflow, difference >= 0 else { return }
    state.spread = shown(
      Price(units: difference), priceScale: view.priceScale, decimals: view.priceDecimals)
    state.spreadBasisPoints = basisPoints(
      from: FixedDecimal(units: bid, scale: view.priceScale),
      to: FixedDecimal(units: ask, scale: view.priceScale))
  }
}

/// A price at the instrument's decimals, or with all digits if those would lose some.
func shown(_ price: Price, priceScale: Scale, decimals: Scale) -> FixedDecimal {
  let exact = FixedDecimal(price, scale: priceScale)
  return exact.exactly(at: decimals) ?? exact
}
