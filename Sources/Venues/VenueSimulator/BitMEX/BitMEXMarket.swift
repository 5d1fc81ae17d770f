import MarketModel
import OrderMatching

/// One instrument of the simulated market with BitMEX's ids, directions and row values.
///
/// After every event the best bid is below the best ask.
struct BitMEXMarket: Sendable {
  let instrument: BitMEXInstrument
  private(set) var asks: BitMEXBookSide
  private(set) var bids: BitMEXBookSide
  private(set) var lastTrade: BitMEXTrade?
  /// Contracts traded since the market opened.
  private(set) var volume: Int64 = 0
  /// Highest and lowest trade since the market opened, in ticks.
  private(set) var range: (low: Int64, high: Int64)
  /// The time of the latest event, in milliseconds since 1970.
  private(set) var milliseconds: Int64

  private let generation: BitMEXGeneration
  private var random: SplitMix64
  private var nextID: Int64

  /// Starts an instrument at `start`, after the `past` trades, in O(levels log levels).
  init(
    _ instrument: BitMEXInstrument, _ market: SimulatedInstrument,
    past: [(time: Timestamp, event: AgentEvent)], generation: BitMEXGeneration, seed: UInt64,
    start: Timestamp
  ) {
    self.instrument = instrument
    self.generation = generation
    random = SplitMix64(seed: SeedText.seed(seed, "bitmex " + instrument.symbol))
    milliseconds = past.first?.time.milliseconds ?? start.milliseconds
    var ids = BitMEXOpeningIDs(instrument, generation)
    let now = start.milliseconds
    func side(_ side: Side, _ random: inout SplitMix64) -> BitMEXBookSide {
      BitMEXBookSide(
        isAsk: side == .sell,
        levels: market.levels(side, limit: .max).map { level in
          BitMEXLevel(
            ticks: level.price.units, size: level.quantity.units * instrument.lot,
            id: ids.next(level.price.units, &random),
            changedMilliseconds: now - random.below(36_000_000))
        })
    }
    asks = side(.sell, &random)
    bids = side(.buy, &random)
    nextID = ids.highest
    let opening = past.first { !$0.event.trades.isEmpty }?.event.trades.first
    let price = opening?.price ?? market.top.last
    range = (price.units, price.units)
    if opening == nil {
      record(MarketTrade(price: price, quantity: Quantity(units: 1), side: .buy))
    }
    for (time, event) in past {
      milliseconds = time.milliseconds
      for trade in event.trades { record(trade) }
    }
  }

  /// Applies an event; returns executions first, then the book in an order that never crosses it.
  mutating func apply(_ event: AgentEvent, at time: Timestamp) -> [BitMEXMarketEvent] {
    milliseconds = time.milliseconds
    var events: [BitMEXMarketEvent] = []
    if !event.trades.isEmpty { events.append(.trades(event.trades.map { record($0) })) }
    var rows: [SimulatedBitMEXAction: [SimulatedBitMEXRow]] = [:]
    for change in event.changes {
      let (action, row) = self.row(change)
      if let row { rows[action, default: []].append(row) }
    }
    for action in [SimulatedBitMEXAction.delete, .update, .insert] {
      if let rows = rows[action] { events.append(.book(action, rows)) }
    }
    return events
  }

  private mutating func row(_ change: LevelChange) -> (SimulatedBitMEXAction, SimulatedBitMEXRow?) {
    let isAsk = change.side == .sell
    let ticks = change.price.units
    let size = change.after.units * instrument.lot
    if change.before == .zero {
      let level = BitMEXLevel(
        ticks: ticks, size: size, id: newID(ticks), changedMilliseconds: milliseconds)
      if isAsk { asks.insert(level) } else { bids.insert(level) }
      return (.insert, SimulatedBitMEXRow(isAsk: isAsk, level: level))
    }
    let action: SimulatedBitMEXAction = change.after == .zero ? .delete : .update
    guard let index = isAsk ? asks.index(of: ticks) : bids.index(of: ticks) else {
      return (action, nil)
    }
    let level =
      switch (action, isAsk) {
      case (.delete, true): asks.remove(at: index)
      case (.delete, false): bids.remove(at: index)
      case (_, true): asks.resize(at: index, to: size, milliseconds: milliseconds)
      case (_, false): bids.resize(at: index, to: size, milliseconds: milliseconds)
      }
    return (action, SimulatedBitMEXRow(isAsk: isAsk, level: level))
  }

  /// The id of a new level: computed in the legacy generation, opaque in the modern one.
  private mutating func newID(_ ticks: Int64) -> Int64 {
    switch generation {
    case .legacy: return instrument.legacyID(ticks)
    case .modern:
      nextID += random.within(1...40)
      return nextID
    }
  }

  @discardableResult
  private mutating func record(_ trade: MarketTrade) -> BitMEXTrade {
    let ticks = trade.price.units
    let direction = lastTrade.map { $0.direction.next(change: ticks - $0.ticks) } ?? .zeroMinus
    let row = BitMEXTrade(
      milliseconds: milliseconds, isBuy: trade.side == .buy,
      size: trade.quantity.units * instrument.lot, ticks: ticks, direction: direction,
      match: (random.next(), random.next()))
    lastTrade = row
    volume += row.size
    range = (min(range.low, ticks), max(range.high, ticks))
    return row
  }
}

/// Ids of the levels at the start.
///
/// Modern ids are assigned in steps that wrap around, so that their order is unrelated to prices.
struct BitMEXOpeningIDs {
  private static let base: Int64 = 62_400_000_000
  private static let count: Int64 = 16_384
  private static let stride: Int64 = 6_113

  private let instrument: BitMEXInstrument
  private let generation: BitMEXGeneration
  private let base: Int64
  private var position: Int64 = 0

  /// Above every assigned id.
  var highest: Int64 { base + BitMEXOpeningIDs.count * 32 }

  init(_ instrument: BitMEXInstrument, _ generation: BitMEXGeneration) {
    self.instrument = instrument
    self.generation = generation
    base = BitMEXOpeningIDs.base + instrument.legacyIndex * 1_000_000_000
  }

  /// The next id; 16,384 of them differ (the stride is odd, the count a power of 2).
  mutating func next(_ ticks: Int64, _ random: inout SplitMix64) -> Int64 {
    guard generation == .modern else { return instrument.legacyID(ticks) }
    position = (position + BitMEXOpeningIDs.stride) % BitMEXOpeningIDs.count
    return base + position * 32 + random.below(32)
  }
}

struct BitMEXInstrument: Sendable {
  /// How a contract's value follows from its price.
  enum Contract: Sendable {
    /// One contract is one unit of the quote currency (XBTUSD).
    case inverse
    /// A contract is worth `multiplier` satoshi for each unit of price (ETHUSD).
    case quanto(multiplier: Int64)
  }

  /// "XBTUSD".
  let symbol: String
  let root: String
  /// Units of the price scale in a tick: 5 for 0.5 at one digit.
  let tickUnits: Int64
  let priceScale: Scale
  /// Contracts that sizes are multiples of.
  let lot: Int64
  let contract: Contract
  /// Its market; a lot is the smallest contract size.
  var listing: MarketListing
  /// A legacy id is this × 10^8 minus the price in ticks of the instrument's listing.
  let legacyIndex: Int64
  /// Units of the price scale for each ``legacyTicksPerUnits`` ticks of the listing.
  let legacyUnits: Int64
  /// Ticks of the listing in ``legacyUnits``.
  let legacyTicksPerUnits: Int64

  static func all(_ generation: BitMEXGeneration) -> [BitMEXInstrument] {
    [bitcoin(generation), ether, solana]
  }

  func units(_ ticks: Int64) -> Int64 { ticks * tickUnits }

  func price(_ ticks: Int64) -> FixedDecimal {
    FixedDecimal(units: units(ticks), scale: priceScale)
  }

  /// The id of legacy rows, computed from the price.
  func legacyID(_ ticks: Int64) -> Int64 {
    legacyIndex * 100_000_000 - units(ticks) * legacyTicksPerUnits / legacyUnits
  }

  private static func bitcoin(_ generation: BitMEXGeneration) -> BitMEXInstrument {
    let tickUnits: Int64 = generation == .legacy ? 5 : 1
    return BitMEXInstrument(
      symbol: "XBTUSD", root: "XBT", tickUnits: tickUnits, priceScale: Scale(clamping: 1), lot: 100,
      contract: .inverse,
      listing: .deep(
        "XBTUSD", .bitcoin, startTicks: 642_137 / tickUnits, perMinute: 150, hundreds: 105,
        DepthProfile(levels: .init(bids: 5500, asks: 3800), gapPercent: 100)), legacyIndex: 88,
      legacyUnits: 1, legacyTicksPerUnits: 10)
  }

  private static let ether = BitMEXInstrument(
    symbol: "ETHUSD", root: "ETH", tickUnits: 5, priceScale: Scale(clamping: 2), lot: 1,
    contract: .quanto(multiplier: 100),
    listing: .deep(
      "ETHUSD", .ether, startTicks: 36_931, perMinute: 68, hundreds: 83,
      DepthProfile(levels: .init(bids: 1200, asks: 900), gapPercent: 250)), legacyIndex: 297,
    legacyUnits: 5, legacyTicksPerUnits: 1)

  private static let solana = BitMEXInstrument(
    symbol: "SOLUSD", root: "SOL", tickUnits: 1, priceScale: Scale(clamping: 2), lot: 1,
    contract: .quanto(multiplier: 1000),
    listing: .deep(
      "SOLUSD", .solana, startTicks: 14_218, perMinute: 26, hundreds: 78,
      DepthProfile(levels: .init(bids: 380, asks: 320), gapPercent: 700)), legacyIndex: 549,
    legacyUnits: 1, legacyTicksPerUnits: 10)
}
