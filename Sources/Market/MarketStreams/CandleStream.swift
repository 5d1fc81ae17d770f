public import ChartModel
public import MarketHistory
public import MarketModel
import VenueCatalogue
import VenueProtocols

/// An instrument's candles: live seconds, the history from the venue or disk, and their freshness.
public struct CandleStream: Sendable {
  /// The instrument.
  public let instrument: InstrumentKey
  /// The stream that feeds the candles, its values and events.
  public let key: MarketKey
  /// Seconds and latest ticks since the stream was opened.
  public internal(set) var recorder = ChartRecorder()
  /// Minutes and longer.
  public private(set) var history: HistoryJoin
  /// Whether the latest price is valid now.
  public private(set) var freshness: Freshness

  private(set) var priceDecimals: Scale?
  private var day = StreamFigures()
  private var link: VenueLink
  private var own: Freshness?
  /// The latest trade ID in the history; 0 without IDs.
  private var latestIdentifier: Int64 = 0
  /// The origin of the values.
  public private(set) var origin: DataOrigin
  /// The end of the stored seconds, milliseconds since 1970.
  private var secondsSaved = Int64.min
  /// Stored gaps between seconds.
  private var gapsSaved: [SeriesGap] = []

  /// Opens the candles of an instrument with trades, or of the exchange's stock; nil for any other.
  ///
  /// `origin` applies until the venue reports its own; `canAskHistory` is whether the venue's
  /// history, if any, can be requested here.
  public init?(
    _ instrument: InstrumentKey, origin: DataOrigin = .venue, canAskHistory: Bool = true
  ) {
    guard let key = CandleStream.key(of: instrument) else { return nil }
    self.instrument = instrument
    self.key = key
    self.origin = origin
    let venue = canAskHistory ? instrument.venue.adapter.history : nil
    history = HistoryJoin(
      instrument, hasVenueHistory: venue != nil, venueIntervals: venue?.intervals ?? [],
      givesTrades: venue?.givesTrades ?? false, pagesBackwards: venue?.pagesBackwards ?? false)
    freshness = .waiting(origin)
    priceDecimals = instrument.venue == .exchange ? ExchangeCatalogue.decimals : nil
    link = VenueLink(instrument.venue)
  }

  /// The stream behind an instrument's candles; nil if the venue can't have it.
  public static func key(of instrument: InstrumentKey) -> MarketKey? {
    let (venue, symbol) = (instrument.venue, instrument.symbol)
    if venue == .exchange {
      return symbol == ExchangeCatalogue.symbol ? MarketKey(venue, .quote, symbol) : nil
    }
    return BookCatalogue.mayHold(instrument) ? MarketKey(venue, .trades, symbol) : nil
  }

  /// The current state, without history.
  public var state: CandleStreamState {
    CandleStreamState(
      priceScale: recorder.priceScale,
      quantityScale: recorder.lastArrival > 0 ? recorder.quantityScale : history.quantityScale,
      priceDecimals: priceDecimals, freshness: freshness, ticks: recorder.ticks,
      history: history.status, revision: history.revision, figures: day.figures)
  }

  // MARK: Inputs

  /// Applies an event of the stream.
  public mutating func receive(_ event: MarketEvent, at now: ClockReading) {
    let before = recorder.lastArrival
    recorder.record(event, at: now)
    guard recorder.lastArrival != before, let tick = recorder.ticks.last else { return }
    reopenSecond(of: tick)
    let trade = CandleStream.trade(event, tick, recorder)
    remember(trade, at: now)
    day.move(to: trade.price, at: trade.time, freshness)
  }

  private mutating func remember(_ trade: VenueTrade, at now: ClockReading) {
    latestIdentifier = max(latestIdentifier, trade.identifier)
    history.receive(trade, at: now)
  }

  /// Applies the stream's newest value; returns the history requests needed.
  public mutating func receive(_ value: MarketValue, at now: ClockReading) -> [HistoryRequest] {
    switch value {
    case .trades(let tape) where tape.symbol == instrument.symbol:
      own = tape.freshness
      refine(to: tape.priceScale)
      if !tape.trades.isEmpty { priceDecimals = tape.priceDecimals }
      begin(with: tape, at: now)
      repair(with: tape, at: now)
    case .quote(let quote) where quote.symbol == instrument.symbol: own = quote.freshness
    default: return []
    }
    return judge(at: now)
  }

  /// Applies the status of a venue's connection; returns the history requests needed.
  public mutating func receive(
    _ status: ConnectionStatus, at now: ClockReading
  ) -> [HistoryRequest] {
    guard status.venue == instrument.venue else { return [] }
    _ = link.update(status)
    origin = status.origin
    return judge(at: now)
  }

  /// Applies the venue's response to a history request; returns the next requests.
  public mutating func receive(
    _ response: Result<HistoryResponse, HistoryFailure>, to request: HistoryRequest,
    at now: ClockReading
  ) -> [HistoryRequest] {
    history.receive(response, to: request, at: now)
  }

  /// Requests history for an interval; returns the history requests needed.
  public mutating func want(_ interval: CandleInterval, at now: ClockReading) -> [HistoryRequest] {
    interval.isRecorded ? [] : history.want(interval, at: now)
  }

  /// Handles the timer, about once a second; returns the history requests needed.
  public mutating func timer(at now: ClockReading) -> [HistoryRequest] {
    let requests = history.timer(at: now)
    if makesFigures, recorder.lastArrival > 0 { day.replace(addedUp(at: now)) }
    return requests
  }

  /// Requests history for the figures of the day; returns the history requests needed.
  public mutating func wantFigures(at now: ClockReading) -> [HistoryRequest] {
    guard makesFigures else { return [] }
    let requests = history.want(.minute, at: now) + history.want(.hour, at: now)
    if recorder.lastArrival > 0 { day.replace(addedUp(at: now)) }
    return requests
  }

  /// Stops history requests.
  public mutating func wantNoMore() { history.wantNoMore() }

  /// Restores the stored candles of an interval, oldest first, with their quantity scale.
  public mutating func restore(
    _ candles: [Candle], of interval: CandleInterval, quantityScale: Scale
  ) {
    history.restore(candles, of: interval, quantityScale: quantityScale)
  }

  /// The candles that closed or changed since the last call, for the store.
  public mutating func takeClosed() -> [(interval: CandleInterval, candle: Candle)] {
    history.takeClosed()
  }

  private mutating func judge(at now: ClockReading) -> [HistoryRequest] {
    freshness = own.map(link.judged) ?? .waiting(origin)
    recorder.judge(freshness, at: now)
    return history.judge(freshness, at: now)
  }

  /// A market with more decimals than usual starts again in units that hold its prices.
  private mutating func refine(to scale: Scale) {
    guard scale > recorder.priceScale else { return }
    recorder = ChartRecorder(priceScale: scale)
    history.restart(priceScale: scale)
    day = StreamFigures()
    (latestIdentifier, secondsSaved, gapsSaved) = (0, .min, [])
  }

  /// So that a chart never shows less than the tape beside it.
  private mutating func begin(with tape: TapeView, at now: ClockReading) {
    guard recorder.lastArrival == 0 else { return }
    for trade in tape.trades.reversed() {
      receive(
        .trade(trade, priceScale: tape.priceScale, quantityScale: tape.quantityScale), at: now)
    }
  }

  /// After an outage, a snapshot's new trades, by ID, come without events.
  private mutating func repair(with tape: TapeView, at now: ClockReading) {
    for trade in tape.trades.reversed() where trade.identifier > latestIdentifier {
      remember(
        VenueTrade(
          identifier: trade.identifier, covered: trade.covered, time: trade.time,
          price: FixedDecimal(trade.price, scale: tape.priceScale),
          quantity: FixedDecimal(units: trade.size.units, scale: tape.quantityScale)),
        at: now)
    }
  }

  private static func trade(
    _ event: MarketEvent, _ tick: ChartTick, _ recorder: ChartRecorder
  ) -> VenueTrade {
    var (identifier, covered) = (Int64(0), Int64(1))
    var time = Timestamp(milliseconds: tick.time)
    if case .trade(let trade, _, _) = event {
      (identifier, covered, time) = (trade.identifier, trade.covered, trade.time)
    }
    return VenueTrade(
      identifier: identifier, covered: covered, time: time,
      price: FixedDecimal(tick.price, scale: recorder.priceScale),
      quantity: FixedDecimal(units: tick.quantity.units, scale: recorder.quantityScale))
  }
}

// MARK: - Pages

extension CandleStream {
  /// The candles of an interval in memory, or only those before a time; O(candles).
  ///
  /// `before` is in milliseconds since 1970; nil for the newest. The host adds older stored
  /// candles.
  public func page(of interval: CandleInterval, before: Int64? = nil) -> CandlePage {
    var candles =
      interval.isRecorded
      ? Array(recorder.series.candles.candles(of: interval)) : history.candles(of: interval)
    var hasOlder = false
    if let before {
      candles = candles.filter { $0.start < before }
      hasOlder = candles.count > CandlePage.maximumOlder
      candles = candles.suffix(CandlePage.maximumOlder)
    }
    let mismatches = history.mismatches.filter { $0.interval == interval }
    return CandlePage(
      interval: interval, priceScale: recorder.priceScale,
      quantityScale: interval.isRecorded ? recorder.quantityScale : history.quantityScale,
      revision: history.revision,
      lastArrival: before == nil ? recorder.lastArrival : 0,
      seenSince: interval.isRecorded
        ? recorder.series.seenSince : seenSince(candles.last, interval), status: history.status,
      hasOlder: hasOlder, candles: candles, contradicted: mismatches.map(\.venues),
      mismatches: history.mismatches.count,
      gaps: interval.isRecorded ? recorder.series.gaps : history.gaps(of: interval))
  }

  /// The start of the newest candle's data, if only its beginning is missing.
  private func seenSince(_ candle: Candle?, _ interval: CandleInterval) -> Int64? {
    guard let candle, candle.missing > 0 else { return nil }
    let heard = [history.gaps(of: interval).last?.end, recorder.series.seenSince]
    return heard.compactMap { $0 }.first { $0 > candle.start }
  }
}

extension CandleInterval {
  /// Whether such candles are only built from trades: venues send none below a minute.
  public var isRecorded: Bool { milliseconds < CandleInterval.minute.milliseconds }
}

// MARK: - Figures of the day

/// Figures of the day for an instrument whose venue sends none.
///
/// Recomputed about once a second, and updated by each price in between.
struct StreamFigures: Sendable, Equatable {
  /// Nil before the first candle, and if the venue sends figures.
  private(set) var figures: DayFigures?
  private var direction = Direction.unchanged
  private var changes: UInt64 = 0

  mutating func replace(_ news: DayFigures) {
    var news = news
    (news.direction, news.changes) = (direction, changes)
    news.at = figures?.at
    figures = news
  }

  mutating func move(to price: FixedDecimal, at time: Timestamp, _ freshness: Freshness) {
    guard var news = figures, let last = news.last else { return }
    let scale = max(last.scale, price.scale, news.change?.scale ?? last.scale)
    guard let to = price.exactly(at: scale), let from = last.exactly(at: scale) else { return }
    let new = price.exactly(at: last.scale) ?? price.trimmed
    (news.at, news.freshness) = (time, freshness)
    if price != last {
      direction = new > last ? .up : .down
      changes &+= 1
      news.change = news.change.flatMap { change in
        let (move, overflow) = to.units.subtractingReportingOverflow(from.units)
        guard let before = change.exactly(at: scale), !overflow else { return nil }
        let (units, overflows) = before.units.addingReportingOverflow(move)
        if overflows { return nil }
        let sum = FixedDecimal(units: units, scale: scale)
        return sum.exactly(at: change.scale) ?? sum.trimmed
      }
      news.high = news.high.map { max($0, new) }
      news.low = news.low.map { min($0, new) }
      (news.last, news.direction, news.changes) = (new, direction, changes)
    }
    figures = news
  }
}

extension CandleStream {
  private var makesFigures: Bool { !instrument.venue.descriptor.statesFigures }

  /// The figures from the finest candles that cover a day, else from the available minutes.
  private func addedUp(at now: ClockReading) -> DayFigures {
    let minutes = figures(of: .minute, at: now)
    guard minutes.window != .last24Hours else { return minutes }
    let hours = figures(of: .hour, at: now)
    return hours.window == .last24Hours ? hours : minutes
  }

  private func figures(of interval: CandleInterval, at now: ClockReading) -> DayFigures {
    var figures = DayFigures.from(
      history.candles(of: interval), of: interval, gaps: history.gaps(of: interval),
      symbol: instrument.symbol, scales: (history.priceScale, history.quantityScale),
      at: now.wall, freshness: freshness)
    figures.last = figures.last.map(shown)
    figures.high = figures.high.map(shown)
    figures.low = figures.low.map(shown)
    figures.change = figures.change.map(shown)
    figures.volume = figures.volume?.trimmed
    return figures
  }

  /// A price with the instrument's decimals if they represent it exactly.
  private func shown(_ price: FixedDecimal) -> FixedDecimal {
    priceDecimals.flatMap { price.exactly(at: $0) } ?? price.trimmed
  }
}

// MARK: - Seconds

// A second is stored after its end, and again when a late tick changes it.

extension CandleStream {
  /// How long a second waits for late ticks, in milliseconds.
  private static let secondsGrace: Int64 = 2000
  /// How far back a late tick rewrites stored seconds, in milliseconds.
  private static let secondsReopened: Int64 = 60_000

  /// The seconds that ended or changed since the last call, with gap edges, for the store.
  ///
  /// Excludes the last two seconds, which are lost with the process.
  public mutating func takeClosedSeconds(at now: ClockReading) -> [Candle] {
    let until = CandleInterval.second.start(of: now.wall.milliseconds - CandleStream.secondsGrace)
    var closed = recorder.seconds(from: secondsSaved, until: until)
    if let last = closed.last {
      secondsSaved = last.start + CandleInterval.second.milliseconds
    }
    for gap in recorder.series.gaps where gap.end <= until && !gapsSaved.contains(gap) {
      closed += recorder.edges(of: gap)
      gapsSaved.append(gap)
    }
    gapsSaved.removeFirst(max(0, gapsSaved.count - CandleSeries.maximumGaps))
    return closed
  }

  /// Restores stored seconds.
  public mutating func restore(_ kept: KeptSeconds) {
    recorder.restore(kept)
    gapsSaved = kept.gaps
    if secondsSaved == .min, let last = kept.rows.last {
      secondsSaved = last.start + CandleInterval.second.milliseconds
    }
  }

  private mutating func reopenSecond(of tick: ChartTick) {
    guard tick.time < secondsSaved, tick.time >= recorder.keptUntil,
      tick.time >= secondsSaved - CandleStream.secondsReopened
    else { return }
    secondsSaved = CandleInterval.second.start(of: tick.time)
  }
}
