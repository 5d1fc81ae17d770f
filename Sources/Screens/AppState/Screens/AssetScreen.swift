public import MarketModel
import MarketStreams
public import VenueCatalogue

/// The spot markets of one asset at all venues, compared by their order books.
///
/// Late, invalid and one-sided books are shown, but count neither for the best prices nor for the
/// common book.
public struct AssetScreen: Screen {
  /// The least time between two spreads of the history, in milliseconds.
  static let spreadMilliseconds: Int64 = 15_000
  /// The longest history: an hour.
  static let maximumSpreads = 240

  /// The current state.
  public private(set) var state: AssetState

  /// A market's streams: its best prices, and its rows by step.
  private struct Source {
    var top: BookStream
    var rows: BookStream?
    var figures: FiguresStream
  }

  private var sources: [Source]
  private let origin: DataOrigin
  /// The requested step; nil for one that fits the price.
  private let requestedStep: FixedDecimal?
  private var lastSpread: MonotonicTime?

  /// Opens an asset; nil if no open venue can have a market of it.
  ///
  /// `step` is one of ``AssetState/steps``; another one has no effect.
  public init?(
    _ asset: Asset, step: FixedDecimal? = nil, origin: DataOrigin = .venue,
    closed: Set<Venue> = []
  ) {
    let markets = asset.markets(closed: closed)
    if markets.isEmpty { return nil }
    self.init(asset, markets, step: step, origin: origin)
  }

  init(_ asset: Asset, _ markets: [BookInstrument], step: FixedDecimal?, origin: DataOrigin) {
    (self.origin, requestedStep) = (origin, step)
    sources = markets.map { market in
      Source(
        top: BookStream(market.bookKey, origin: origin),
        figures: FiguresStream(
          MarketKey(market.venue, .figures, market.symbol), origin: origin))
    }
    state = AssetState(
      asset: asset,
      markets: markets.map { AssetMarketState(instrument: $0, freshness: .waiting(origin)) })
  }

  /// The books and figures of all markets.
  public var wanted: Set<MarketKey> {
    Set(
      sources.flatMap { source in
        let figures = source.figures.key
        return [source.top.key, source.rows?.key].compactMap(\.self)
          + (figures.venue.descriptor.statesFigures ? [figures] : [])
      })
  }

  /// Applies books, figures and connection statuses; the timer adds to the spread's history.
  ///
  /// O(markets × rows).
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    if case .timer = input {
      sampleSpread(at: now)
      return []
    }
    guard let news = input.stream else { return [] }
    var isNews = false
    for index in sources.indices {
      let top = sources[index].top.receive(news)
      let rows = sources[index].rows?.receive(news) ?? false
      let figures = sources[index].figures.receive(news)
      guard top || rows || figures else { continue }
      isNews = true
      drawMarket(index)
    }
    guard isNews else { return [] }
    let isOther = chooseStep()
    compare()
    return isOther ? [.wantedChanged] : []
  }

  /// No actions.
  public typealias Action = Never

  private mutating func drawMarket(_ index: Int) {
    let source = sources[index]
    state.markets[index].freshness = source.top.freshness
    state.markets[index].figures = source.figures.value.flatMap { $0.isKnown ? $0 : nil }
    guard let view = source.top.value else { return }
    state.markets[index].isKnown = view.isKnown
    let offer = { (row: BookRow) in
      AssetOffer(
        price: shown(row.price, priceScale: view.priceScale, decimals: view.priceDecimals),
        size: FixedDecimal(row.size, scale: view.quantityScale))
    }
    let (bid, ask) = (view.bids.first.map(offer), view.asks.first.map(offer))
    (state.markets[index].bid, state.markets[index].ask) = (bid, ask)
    state.markets[index].spreadBasisPoints = bid.flatMap { bid in
      ask.flatMap { basisPoints(from: bid.price, to: $0.price) }
    }
  }

  // MARK: Best prices

  private mutating func compare() {
    let counted = state.markets.filter(\.isCounted)
    state.best = nil
    (state.bids, state.asks) = ([], [])
    guard let bid = counted.compactMap(\.bid?.price).max(),
      let ask = counted.compactMap(\.ask?.price).min()
    else { return }
    // A price is as recent as its latest confirmation, and the spread as its older price.
    func confirmed(_ markets: [AssetMarketState]) -> ClockReading? {
      markets.compactMap(\.freshness.confirmedAt).max { $0.monotonic < $1.monotonic }
    }
    let sides = [
      confirmed(counted.filter { $0.bid?.price == bid }),
      confirmed(counted.filter { $0.ask?.price == ask }),
    ]
    state.best = AssetQuote(
      bid: bid, ask: ask, markets: counted.count, basisPoints: basisPoints(from: bid, to: ask),
      confirmedAt: sides.compactMap { $0 }.min { $0.monotonic < $1.monotonic })
    joinRows()
  }

  private mutating func sampleSpread(at now: ClockReading) {
    if let lastSpread, now.monotonic.milliseconds(since: lastSpread) < Self.spreadMilliseconds {
      return
    }
    guard let best = state.best, best.markets > 1, let spread = best.basisPoints else { return }
    lastSpread = now.monotonic
    state.spreads.append(AssetSpread(time: now.wall, basisPoints: spread))
    if state.spreads.count > Self.maximumSpreads { state.spreads.removeFirst() }
  }

  // MARK: The common book

  /// Settles the step once ticks are known; true if other rows are wanted.
  private mutating func chooseStep() -> Bool {
    let views = sources.compactMap { $0.top.value }.filter(\.isKnown)
    guard let price = views.compactMap(\.top.bid).max(), !views.isEmpty else { return false }
    let ticks = views.map { FixedDecimal($0.tick, scale: $0.priceScale) }
    guard let coarsest = ticks.max(), let scale = views.map(\.priceScale).max() else {
      return false
    }
    let near = views.first { $0.top.bid == price }.flatMap {
      FixedDecimal(price, scale: $0.priceScale).exactly(at: scale)
    }
    guard let near, let tick = coarsest.exactly(at: scale) else { return false }
    let choices = PriceGrouping.choices(
      tick: Price(units: tick.units), near: Price(units: near.units))
    state.steps = choices.compactMap { choice in
      let step = FixedDecimal(units: choice.step(tick: Price(units: tick.units)), scale: scale)
      return views.allSatisfy { grouping(step, of: $0) != nil } ? step.trimmed : nil
    }
    let fitting = state.steps.first { step in
      step.exactly(at: scale).map { $0.units >= near.units / 10_000 } ?? false
    }
    let isAvailable = requestedStep.map { requested in state.steps.contains { $0 == requested } }
    let step = isAvailable == true ? requestedStep : fitting ?? state.steps.last
    state.step = step
    var isOther = false
    for index in sources.indices {
      guard let step, let view = sources[index].top.value,
        let grouping = grouping(step, of: view)
      else { continue }
      let key = MarketKey(
        sources[index].top.key.venue,
        Subscription(.book, view.symbol, grouping: grouping))
      if grouping.isNone {
        isOther = isOther || sources[index].rows != nil
        sources[index].rows = nil
      } else if sources[index].rows?.key != key {
        sources[index].rows = BookStream(key, origin: origin)
        isOther = true
      }
    }
    return isOther
  }

  private func grouping(_ step: FixedDecimal, of view: BookView) -> PriceGrouping? {
    guard let step = step.exactly(at: view.priceScale), view.tick.units > 0,
      step.units % view.tick.units == 0
    else { return nil }
    return PriceGrouping(ticks: step.units / view.tick.units)
  }

  private mutating func joinRows() {
    let views: [(market: Int, view: BookView)] = sources.indices.compactMap { index in
      guard state.markets[index].isCounted else { return nil }
      let stream = sources[index].rows ?? sources[index].top
      guard stream.freshness.state == .live, let view = stream.value, view.isKnown else {
        return nil
      }
      return (index, view)
    }
    // A market whose rows have not come would be missing from every level.
    guard views.count == state.best?.markets,
      let prices = views.map(\.view.priceScale).max(),
      let sizes = views.map(\.view.quantityScale).max()
    else { return }
    let scales = (prices, sizes)
    let bids = AssetRows(views.map { ($0.market, $0.view, $0.view.bids) }, scales, isBid: true)
    let asks = AssetRows(views.map { ($0.market, $0.view, $0.view.asks) }, scales, isBid: false)
    let largest = max(bids.largest, asks.largest)
    (state.bids, state.asks) = (bids.levels(largest), asks.levels(largest))
  }
}

/// The spread of two prices in basis points of their mid, two decimals; negative where they cross,
/// nil at or below 0 and beyond 64 bits.
func basisPoints(from bid: FixedDecimal, to ask: FixedDecimal) -> FixedDecimal? {
  let scale = max(bid.scale, ask.scale)
  guard let bid = bid.exactly(at: scale)?.units, let ask = ask.exactly(at: scale)?.units,
    bid > 0, ask > 0
  else { return nil }
  let hundredths = roundedQuotient(
    (ask - bid).magnitude, times: 2_000_000, by: bid.magnitude + ask.magnitude)
  return hundredths.map { FixedDecimal(units: ask < bid ? -$0 : $0, scale: Scale(clamping: 2)) }
}

/// One side of several books, summed by price.
struct AssetRows {
  private var sizes: [Int64: [(market: Int, units: Int64)]] = [:]
  private var order: [Int64] = []
  private let scales: (price: Scale, size: Scale)

  /// Leaves out prices beyond the last row of a book that has more, and those that don't fit.
  init(
    _ sides: [(market: Int, view: BookView, rows: [BookRow])], _ scales: (Scale, Scale),
    isBid: Bool
  ) {
    self.scales = scales
    var end: Int64?
    for (market, view, rows) in sides {
      var last: Int64?
      for row in rows {
        guard let price = FixedDecimal(row.price, scale: view.priceScale).exactly(at: scales.0),
          let size = FixedDecimal(row.size, scale: view.quantityScale).exactly(at: scales.1)
        else { continue }
        sizes[price.units, default: []].append((market, size.units))
        last = price.units
      }
      guard rows.count >= BookView.depth, let last else { continue }
      end = end.map { isBid ? max($0, last) : min($0, last) } ?? last
    }
    order = sizes.keys.filter { price in end.map { isBid ? price >= $0 : price <= $0 } ?? true }
    order.sort { isBid ? $0 > $1 : $0 < $1 }
    order.removeLast(max(0, order.count - BookView.depth))
  }

  /// The largest size of a price.
  var largest: Int64 { order.map(total).max() ?? 0 }

  func levels(_ largest: Int64) -> [AssetLevel] {
    order.map { price in
      let total = total(price)
      let parts = (sizes[price] ?? []).map { part in
        AssetPart(
          market: part.market, size: FixedDecimal(units: part.units, scale: scales.size).trimmed,
          thousandths: share(part.units, of: total))
      }
      return AssetLevel(
        price: FixedDecimal(units: price, scale: scales.price).trimmed,
        size: FixedDecimal(units: total, scale: scales.size).trimmed,
        thousandths: share(total, of: largest), parts: parts)
    }
  }

  private func total(_ price: Int64) -> Int64 {
    (sizes[price] ?? []).reduce(0) { saturatingSum($0, $1.units) }
  }

  private func share(_ part: Int64, of whole: Int64) -> Int {
    Int(min(1000, roundedQuotient(max(0, part).magnitude, times: 1000, by: whole.magnitude) ?? 0))
  }
}
