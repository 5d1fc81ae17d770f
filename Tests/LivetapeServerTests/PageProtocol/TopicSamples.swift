import Foundation
import MarketModel
import MarketStreams
import MarketHistory
import PaperTrading
import PriceAlerts
import SimulatorServer
import Testing

@testable import AppState
@testable import ChartModel
@testable import LivetapeServer
@testable import VenueCatalogue

/// The states of one topic: each member with and without a value, each word of each enumeration.
///
/// The page's types are derived from their encoding.
struct TopicSamples {
  /// The topic's name; `*` is what follows a slash.
  let topic: String
  /// The name of its state in the page's types.
  let type: String
  let states: [PageValue]
}

struct TopicSampler {
  private let symbol: Symbol
  private let client: ClientOrderIdentifier
  private let number = FixedDecimal(units: 4510, scale: Scale(clamping: 2))
  private let time = Timestamp(milliseconds: 1_790_000_000_000)

  init() throws {
    symbol = try #require(Symbol("AAPL"))
    client = try #require(ClientOrderIdentifier("client"))
  }

  var all: [TopicSamples] {
    [
      TopicSamples(topic: "status", type: "Status", states: status),
      TopicSamples(topic: "feed", type: "Feed", states: feed),
      TopicSamples(topic: "symbol/*", type: "Symbol", states: details),
      TopicSamples(topic: "stocks", type: "Stocks", states: [watchList]),
      TopicSamples(topic: "stock/*", type: "Stock", states: stock),
      TopicSamples(topic: "products", type: "Products", states: [products]),
      TopicSamples(topic: "product/*", type: "Product", states: product),
      TopicSamples(topic: "markets", type: "Markets", states: markets),
      TopicSamples(topic: "survey", type: "Survey", states: [survey]),
      TopicSamples(topic: "lists", type: "Lists", states: lists),
      TopicSamples(topic: "alerts", type: "Alerts", states: alerts),
      TopicSamples(topic: "faults", type: "Faults", states: [faults]),
      TopicSamples(topic: "latency", type: "Latency", states: [latency]),
      TopicSamples(topic: "books", type: "Books", states: books),
      TopicSamples(topic: "book/*", type: "Book", states: book),
      TopicSamples(topic: "asset/*/*", type: "Asset", states: assets),
      TopicSamples(topic: "truth/*/*", type: "Truth", states: truths),
      TopicSamples(topic: "trades/*", type: "Trades", states: trades),
      TopicSamples(topic: "exchange", type: "Exchange", states: exchange),
      TopicSamples(topic: "ticket/*/*", type: "Ticket", states: tickets),
      TopicSamples(topic: "orders", type: "Orders", states: orders.map(\.page)),
      TopicSamples(topic: "openOrders", type: "OpenOrders", states: orders.map(\.openPage)),
      TopicSamples(topic: "conversion/*", type: "Conversion", states: conversions),
      TopicSamples(topic: "positions", type: "Positions", states: positions),
      TopicSamples(topic: "chart/*/*", type: "Chart", states: chart),
      TopicSamples(topic: "figures/*/*", type: "Figures", states: dayFigures),
    ]
  }

  // Shared by several topics

  private let directions = [Direction.up, .down, .unchanged]
  private let origins: [DataOrigin] = [.venue, .simulated, .replay, .custom]
  private var prices: [FixedDecimal?] { [number, nil] }

  private var freshness: [Freshness] {
    let states: [FreshnessState] = [
      .waiting, .queued, .live, .late, .stale, .resyncing, .disconnected, .closed,
    ]
    return states.flatMap { state in
      origins.flatMap { origin in
        [1500, nil].map { late in
          Freshness(
            state: state, origin: origin, confirmedAt: ClockReading(milliseconds: 1),
            lateAfterMilliseconds: late)
        }
      }
    }
  }

  private var waiting: Freshness { .waiting(.venue) }

  private var instruments: [BookInstrument] {
    [ContractKind.inverse, .quanto, .linear, .base].compactMap { contract in
      BookCatalogue.instruments.first { $0.contract == contract }
    }
  }

  // The topics

  private var status: [PageValue] {
    let phases: [ConnectionPhase] = [
      .idle, .connecting, .handshaking, .awaitingReady, .subscribing, .live, .stale, .backingOff,
      .stopped, .refused,
    ]
    let venues = phases.flatMap { phase in
      origins.flatMap { origin in
        [time, nil].map { time in
          VenueState(
            name: "BitMEX", phase: phase, connected: phase.isConnected, origin: origin,
            since: time, lastMessage: time, roundTripMicroseconds: time.map { _ in 90 },
            delayMilliseconds: time.map { _ in 2100 },
            reconnects: 0, resyncs: 0, rejected: 0, skipped: time.map { _ in 3 } ?? 0,
            dissents: time.map { _ in dissents.map { VenueDissent(symbol: symbol, dissent: $0) } }
              ?? [],
            nextAttempt: time,
            reason: time.map { _ in "closed" })
        }
      }
    }
    let words: [ConnectionIndicator] = [.connected, .connecting, .disconnected]
    return words.flatMap { word in
      venues.map { StatusState(worst: word, order: [.bitmex], venues: [.bitmex: $0]).page }
    }
  }

  private var dissents: [WitnessDissent] {
    Witness.allCases.flatMap { witness in
      WitnessedPrice.allCases.flatMap { price in
        prices.map { WitnessDissent(witness, price, said: $0, against: $0) }
      }
    }
  }

  private var feed: [PageValue] {
    let words: [ConnectionIndicator] = [.connected, .connecting, .disconnected]
    let rows = directions.flatMap { direction in
      prices.map { FeedRow(name: "Apple", price: $0, direction: direction, changes: 1) }
    }
    return words.flatMap { word in
      freshness.map { freshness in
        FeedState(
          running: true, connection: word, currency: "USD", decimals: .whole,
          freshness: freshness, order: [symbol], rows: [:]
        ).page
      }
        + rows.map {
          FeedState(
            running: false, connection: word, currency: "USD", decimals: .whole,
            freshness: waiting, order: [symbol], rows: [symbol: $0]
          ).page
        }
    }
  }

  private var details: [PageValue] {
    let known = directions.flatMap { direction in
      prices.map { price in
        SymbolState(
          symbol: symbol,
          details: SymbolState.Details(
            name: "Apple", about: "Phones.", currency: "USD", decimals: .whole, price: price,
            direction: direction, changes: 1, freshness: waiting))
      }
    }
    return ([SymbolState(symbol: symbol, details: nil)] + known).map(\.page)
  }

  private var watchList: PageValue {
    let row = WatchListRow(isin: symbol, name: "Apple", currency: "EUR", decimals: .whole)
    return WatchListState(rows: [row]).page
  }

  private var stock: [PageValue] {
    directions.flatMap { direction in
      prices.map {
        WatchRowState(
          isin: symbol, price: $0, direction: direction, changes: 1, freshness: waiting
        ).page
      }
    }
  }

  private var dayFigures: [PageValue] {
    let instrument = InstrumentKey(.kraken, symbol)
    var state = FiguresState(instrument: instrument, freshness: waiting)
    var states = [state.page]
    for direction in directions {
      for number in prices {
        var figures = DayFigures(
          symbol: symbol, direction: direction, changes: 1, freshness: waiting)
        (figures.last, figures.change, figures.high, figures.low) = (number, number, number, number)
        (figures.volume, figures.vwap, figures.trades) = (number, number, number.map { _ in 1 })
        (figures.bid, figures.bidSize, figures.ask) = (number, number, number)
        (figures.askSize, figures.at) = (number, number.map { _ in time })
        if number == nil { figures.window = .since(time) }
        state.figures = figures
        state.changePercent = number
        states.append(state.page)
      }
    }
    state.isKnown = false
    return states + [state.page]
  }

  private var markets: [PageValue] {
    [MarketsTopic(MarketListScreen(origin: .simulated)).page]
      + [InstrumentKind.spot, .token].map { kind in
        let listed = ListedInstrument(
          symbol: Symbol(known: "A/B"), base: "A", quote: "B", kind: kind, isOpen: true)
        var topic = MarketsTopic(MarketListScreen())
        let listing = VenueListing(instruments: [listed], freshness: waiting)
        let now = ClockReading(milliseconds: 0)
        _ = topic.receive(.value(.listing(of: .kraken), .listing(listing)), at: now)
        return topic.page
      } + [marketsByName]
  }

  /// A market whose symbol alone means another one.
  private var marketsByName: PageValue {
    let row = MarketRow(
      InstrumentKey(.bitmex, Symbol(known: "TROAD")), name: "A", kind: .contract, base: "A",
      quote: "B", isOpen: true)
    var object = PageObject()
    object.set("rows", MarketsTopic.encode([row]))
    object.set("freshness", freshness: waiting)
    return object.value
  }

  private var survey: PageValue {
    var known = SurveyState()
    for (index, number) in prices.enumerated() {
      var figures = DayFigures(symbol: symbol, freshness: waiting)
      (figures.last, figures.changePercent, figures.high) = (number, number, number)
      (figures.low, figures.volume, figures.vwap) = (number, number, number)
      figures.at = time
      if number == nil { figures.window = .since(time) }
      known.take(figures, of: InstrumentKey(Venue.allCases[index], symbol))
    }
    var topic = SurveyTopic()
    _ = topic.receive(.survey(known), at: ClockReading(milliseconds: 0))
    return topic.page
  }

  private var alerts: [PageValue] {
    let instrument = InstrumentKey(.kraken, symbol)
    func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
    func price(_ units: Int64) -> FixedDecimal { FixedDecimal(units: units, scale: .whole) }
    var book = AlertBook()
    for (level, repeats) in [(Int64(100), false), (150, true), (200, false), (170, true)] {
      _ = try? book.add(instrument, .price(price(level)), repeats: repeats, at: at(1))
    }
    _ = try? book.edit(4, .price(price(170)), repeats: true, cooldownSeconds: 60)
    let others: [AlertCondition] = [
      .change(percent: price(5), seconds: 900), .spread(basisPoints: price(10)),
      .volume(price(3), seconds: 60), .invalidBook(seconds: 5),
    ]
    for condition in others { _ = try? book.add(instrument, condition, repeats: false, at: at(1)) }
    let fresh = book
    // Up over two levels, after an unobserved time down over one, up to the last one; once without
    // and otherwise with a number.
    for (index, units) in [Int64(90), 160, 140, 170].enumerated() {
      let now = at(Int64(index) + 3)
      if index == 2 { book.lose(instrument, since: at(4)) }
      let trade = Trade(
        price: Price(units: units), size: Quantity(units: 1), side: nil, time: now, arrival: 1,
        identifier: Int64(index == 1 ? 0 : index))
      _ = book.receive(AlertTrade(trade, scale: .whole, sizes: .whole), of: instrument, at: now)
    }
    _ = book.receive(.live(bid: price(100), ask: price(110)), of: instrument, at: at(8))
    _ = book.receive(.invalid, of: instrument, at: at(9))
    _ = book.advance(to: at(9009))
    book.lose(instrument, since: at(20))
    return [
      AlertsState(fresh).page,
      AlertsState(
        book, problem: "Why", failures: [1: DeliveryFailure(count: 1, reason: "Why")]
      ).page,
    ]
  }

  private var lists: [PageValue] {
    var lists = MarketLists()
    try? lists.add(InstrumentKey(.kraken, symbol), to: MarketLists.starsID)
    return [MarketListsState(lists).page, MarketListsState(lists, problem: "Why").page]
  }

  private var products: PageValue { ProductChooserState().page }

  private var product: [PageValue] {
    let failure = ProductFailure(code: "AUTH_008", userMessage: "No token.", canRetry: false)
    let hours: [MarketHours?] = [.open, .closed, nil]
    let details = hours.flatMap { market in
      directions.flatMap { direction in
        prices.map { price in
          ProductState.Details(
            symbol: "GERMANY30", name: "Germany 30", currency: "EUR", decimals: .whole,
            price: number, closing: price, percent: price, direction: direction, changes: 1,
            market: market)
        }
      }
    }
    let shown = details.map { (ProductPhase.shown, $0 as ProductState.Details?) }
    return (shown + [(.loading, nil), (.failed, nil)]).flatMap { phase, details in
      [failure, nil].map { failure in
        ProductState(
          identifier: "sb26493", phase: phase, failure: failure, details: details,
          freshness: waiting
        ).page
      }
    }
  }

  private var latency: PageValue {
    let reports = Venue.allCases.map { venue in
      let pings: VenuePings = venue == .kraken ? .timed : .none
      var ladder = LatencyLadder(venue: venue, pings: pings, resolution: 1000)
      if let number = ladder.ping(at: MonotonicTime(milliseconds: 0)) {
        ladder.pong(number, got: time, answered: time, received: MonotonicTime(milliseconds: 2))
      }
      let later = MonotonicTime(milliseconds: 70_000)
      if let number = ladder.ping(at: later) {
        let end = Timestamp(milliseconds: time.milliseconds + 70_000)
        ladder.pong(number, got: end, answered: end, received: MonotonicTime(milliseconds: 70_001))
      }
      if venue == .bitmex {
        ladder.take(ReaderTime(epoch: 1, sent: later, got: time, answered: time, received: later))
        let message = RelayedMessage(epoch: 1, read: time, held: 1000, venueClock: nil)
        ladder.relayed(message, dated: time, at: later)
      }
      for rung in LatencyRung.allCases {
        ladder.record(rung, 5_000_000, within: rung.joinsTwoClocks ? 1000 : nil, at: later)
      }
      return ladder.report(at: ClockReading(monotonic: later, wall: time))
    }
    return LatencyState(reports: reports).page
  }

  private var faults: PageValue {
    let running = [time, nil].map { CurrentFault("cut@9", end: $0) }
    return FaultsState(order: [.bitmex, .kraken], running: [.bitmex: running, .kraken: []]).page
  }

  private var truths: [PageValue] {
    var record = TruthRecord(origin: .simulated)
    let empty = record.page
    for (at, level) in TruthLevel.allCases.enumerated() {
      record.note(
        level, cause: level == .blind ? "why" : nil, at: time.milliseconds + Int64(at) * 1000)
    }
    return [empty, record.page]
  }

  private var books: [PageValue] {
    let named = BookInstrument(named: Symbol(known: "TROAD"), at: .bitmex)
    return [Venue.kraken, nil].map {
      BookChooserState(instruments + [named].compactMap(\.self), acceptsPair: $0).page
    }
  }

  private var assets: [PageValue] {
    guard let asset = Asset(base: "BTC", quote: "USD") else { return [] }
    let markets =
      asset.markets()
      + [BookInstrument(named: Symbol(known: "TROAD"), at: .bitmex)].compactMap(\.self)
    var state = AssetState(
      asset: asset,
      markets: markets.map { AssetMarketState(instrument: $0, freshness: waiting) }, best: nil)
    let empty = state.page
    let offer = AssetOffer(price: number, size: number)
    (state.markets[0].bid, state.markets[0].ask) = (offer, offer)
    state.markets[0].spreadBasisPoints = number
    var figures = DayFigures(symbol: symbol, freshness: waiting)
    (figures.last, figures.changePercent, figures.volume) = (number, number, number)
    state.markets[0].figures = figures
    state.markets[0].isKnown = false
    let best = { (points: FixedDecimal?) in
      AssetQuote(
        bid: self.number, ask: self.number, markets: 1, basisPoints: points,
        confirmedAt: points.map { _ in ClockReading(milliseconds: 1000) })
    }
    state.best = best(nil)
    let level = AssetLevel(
      price: number, size: number, thousandths: 1,
      parts: [AssetPart(market: 0, size: number, thousandths: 1)])
    (state.bids, state.asks, state.step, state.steps) = ([level], [level], number, [number])
    state.spreads = [AssetSpread(time: time, basisPoints: number)]
    let some = state.page
    state.best = best(number)
    return [empty, some, state.page]
  }

  private var book: [PageValue] {
    let rows = prices.map {
      BookRowState(
        price: number, size: number, sizeInBase: $0, barThousandths: 1000, sizeThousandths: 500,
        total: number, cost: $0, average: $0)
    }
    let statuses: [BookStatus] = [.waiting, .synced, .resyncing]
    let instruments: [BookInstrument?] = self.instruments + [nil]
    let doubts = BookDoubt.allCases.map(BookDoubt?.some) + [nil]
    return statuses.flatMap { status in
      zip(instruments + instruments, doubts + doubts).flatMap { instrument, doubt in
        prices.map { price in
          BookState(
            symbol: symbol, instrument: instrument, status: status, freshness: waiting,
            priceDecimals: price.map { _ in .whole }, grouping: .none,
            groupings: [PriceGroupingState(grouping: .none, step: number)], bids: rows, asks: rows,
            spread: price, spreadBasisPoints: price, bidThousandths: price.map { _ in 500 },
            bidLevels: 2, askLevels: 2, sequence: 1, resyncs: 0,
            proof: price.map { _ in
              BookProofState(
                proof: BookProof(checksum: 1, at: ClockReading(milliseconds: 1)),
                priceScale: .whole, quantityScale: .whole)
            },
            unbroken: price.map { _ in
              UnbrokenSequence(messages: 7, at: ClockReading(milliseconds: 1))
            },
            doubt: doubt,
            witnesses: price.flatMap { _ in
              WitnessReport(Witness.allCases, dissents: dissents)
            }
          ).page
        }
      }
    }
  }

  private var trades: [PageValue] {
    let sides: [Side?] = [.buy, .sell, nil]
    let rows = sides.flatMap { side in
      prices.map {
        PrintRowState(
          arrival: 1, price: number, from: $0, size: number, sizeInBase: $0, side: side, time: time,
          count: 1, barThousandths: 1000)
      }
    }
    let instruments: [BookInstrument?] = self.instruments + [nil]
    return instruments.flatMap { instrument in
      [Scale.whole, nil].map {
        TradesState(
          symbol: symbol, instrument: instrument, freshness: waiting, priceDecimals: $0,
          trades: [], prints: rows, sizeSteps: [number]
        ).page
      }
    }
  }

  private var exchange: [PageValue] {
    directions.flatMap { direction in
      prices.map { price in
        let size = price.map { _ in Quantity(units: 17) }
        return ExchangeState(
          symbol: symbol, currency: "USD", decimals: .whole, priceStep: number,
          quantityStep: number, price: price, bid: price, bidSize: size, ask: price,
          askSize: size, direction: direction, changes: 1, freshness: waiting
        ).page
      }
    }
  }

  private var tickets: [PageValue] {
    prices.map { price in
      var state = MarketTicketState(
        symbol: symbol, currency: "USD",
        obstacle: price.map { _ in "The venue has no such market." },
        freshness: waiting)
      (state.priceStep, state.quantityStep) = (price, price)
      (state.bid, state.bidSize, state.ask, state.askSize) = (price, price, price, price)
      return state.page
    }
  }

  private var orders: [OrdersState] {
    let level = OrderLevelState(price: number, quantity: number)
    let fill = OrderFillState(
      time: time, price: number, quantity: number, fee: "1", isMaker: true,
      evidence: "trade \("7") of \("5") at \("98")")
    let rows = OrderStatus.allCases.flatMap { status in
      [Side.buy, .sell].flatMap { side in
        prices.flatMap { price in TimeInForce.allCases.map { (price, $0) } }.map {
          price, timeInForce in
          OrderRowState(
            id: OrderIdentifier(number: 1), clientIdentifier: client,
            symbol: Symbol(known: "TROAD"), side: side, quantity: number, filled: number,
            currency: price.map { _ in "USD" },
            possible: price ?? FixedDecimal(units: 9999, scale: Scale(clamping: 2)), open: number,
            cancelled: number, average: price,
            limit: price, protection: price, timeInForce: timeInForce,
            amendments: price == nil ? 0 : 2, status: status,
            placedAt: time, changedAt: time,
            reason: price.map { _ in "only {60} offered" }, levels: [level], fills: [fill],
            fees: price.map { _ in "1" }, slippage: price, wouldHaveFilled: price.map { _ in level }
          )
        }
      }
    }
    let waiting = (rows.first { $0.limit != nil } ?? rows[0]).waiting(at: number, time)
    return [OrdersState()]
      + (rows + waiting).map { row in
        var state = OrdersState()
        state.rows = [row]
        state.openRows = [row]
        state.isLoaded = true
        state.storage = StorageStatus(eventCount: 1, head: "4c5e", isIntact: true)
        state.failure = "the disk is full"
        state.knownUntil = time
        return state
      }
  }

  private var positions: [PageValue] {
    prices.map { price in
      var state = PositionsState(symbol: symbol)
      guard let price else { return state.page }
      let cost = PositionCostState(cost: price, realised: "1", unrealised: "2", middle: "3")
      (state.isLoaded, state.quantity, state.value, state.equity) = (true, price, "1", "2")
      (state.average, state.fifo, state.note) = (cost, cost, "Only {17} of {50} are wanted.")
      state.out = OrderLevelState(price: price, quantity: price)
      state.exit = PositionExitState(
        levels: [OrderLevelState(price: price, quantity: price)], fee: nil)
      state.fees = "1"
      state.range = PositionRangeState(
        low: price, high: price, lowEquity: "1", highEquity: "2")
      state.markets = [symbol: state]
      state.exit = PositionExitState(levels: state.exit?.levels ?? [], fee: "1")
      state.markets[Symbol(known: "kraken:X")] = state
      state.markets[Symbol(known: "kraken:X")]?.range = PositionRangeState(
        low: price, high: price, lowEquity: nil, highEquity: nil)
      var (some, none) = (CurrencySum(), CurrencySum())
      some.isCertain = false
      for factor in [0, 18] { none.cash.add(WideInteger(.max, times: .max), digits: factor) }
      none.isValued = false
      state.sums = ["USD": some, "EUR": none]
      state.line = [EquityPointState(time: time, equity: "1", isFill: true)]
      return state.page
    }
  }

  private var conversions: [PageValue] {
    ["EUR", "BTC"].compactMap { ConversionScreen(currency: $0)?.state }.flatMap { state in
      let step = ConversionStep(
        market: InstrumentKey(.kraken, symbol), from: "USD", to: "EUR", isInverse: true)
      let total = { (text: String?, cost: String?) in
        ConvertedTotal(
          equity: cost, lowEquity: text, highEquity: text, fees: cost,
          average: .init(realised: cost, unrealised: cost),
          fifo: .init(realised: cost, unrealised: cost))
      }
      return [nil, total(nil, "1"), total("1", "2"), total(nil, nil)].map { total in
        var state = state
        state.total = total
        state.parts = ConversionPart.Standing.allCases.flatMap { standing in
          prices.map { price in
            ConversionPart(
              currency: "USD", standing: standing, equity: price.map { _ in "1" },
              legs: [ConversionLeg(step: step, price: price, freshness: waiting)])
          }
        }
        return state.page
      }
    }
  }

  private var chart: [PageValue] {
    let tick = ChartTick(
      arrival: 1, time: time.milliseconds, price: Price(units: 1), quantity: Quantity(units: 1))
    let histories: [HistoryStatus] = [.none, .loading, .ready, .failed(.rateLimited)]
    return histories.map { history in
      ChartState(
        instrument: InstrumentKey(.exchange, symbol),
        candles: CandleStreamState(
          priceScale: .whole, quantityScale: .whole,
          priceDecimals: history == .none ? nil : .whole, freshness: waiting, ticks: [tick],
          history: history, revision: 1)
      ).page
    }
  }
}

extension OrderRowState {
  /// The row with each kind of trigger, before and after it triggered.
  fileprivate func waiting(at price: FixedDecimal, _ time: Timestamp) -> [OrderRowState] {
    Trigger.Kind.allCases.flatMap { kind in
      [time, nil].map { (at: Timestamp?) -> OrderRowState in
        var row = self
        row.link = OrderLink(kind == .stop ? .oco : .bracket, to: id)
        row.latency = OrderLatencyState(
          milliseconds: 80, submitted: at.map { _ in price }, arrived: at.map { _ in price })
        row.change = at == nil ? .cancelling : .amending
        if at != nil { row.terms = OrderTerms(isPostOnly: true, isReduceOnly: true, expiry: time) }
        row.trigger = OrderTriggerState(
          kind: kind, price: price, activatedAt: at, met: at.map { _ in price },
          gap: at.map { _ in price }, number: at.map { _ in 1 }, isLate: at != nil,
          missed: MissedSpan(from: time, to: time))
        if at != nil {
          row.trigger?.trail = price
          row.trigger?.trailPercent = price
        }
        return row
      }
    }
  }
}
