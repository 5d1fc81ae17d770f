import AppState
import ChartModel
import MarketModel
import MarketStreams
import PaperTrading
import VenueCatalogue
import WireJSON

/// Encodes screens' states as API objects; each begins with type, instrument and freshness.
enum ScriptObjects {
  /// The maximum number of orders in a list, beside the open ones.
  static let maximumOrders = 100

  /// Dates the figures by their own time.
  static func freshness(_ state: FiguresState) -> Freshness {
    Freshness(
      state: state.freshness.state, origin: state.freshness.origin,
      confirmedAt: state.valueTime ?? state.freshness.confirmedAt,
      lateAfterMilliseconds: state.freshness.lateAfterMilliseconds)
  }

  static func ticker(_ state: FiguresState) -> PageObject {
    var object = PageObject()
    object.begin("ticker", of: state.instrument, state.freshness)
    guard let figures = state.figures else { return object }
    object.set("price", decimal: figures.last)
    object.set("change", decimal: figures.change)
    object.set("percent", decimal: state.changePercent)
    object.setDay(of: figures)
    object.set("trades", integer: figures.trades)
    object.setBest(of: figures)
    object.set("valueAt", time: figures.at)
    return object
  }

  static func book(_ state: BookState, of instrument: InstrumentKey) -> PageObject {
    var object = PageObject()
    object.begin("book", of: instrument, state.freshness)
    object.set("status", text: state.status.rawValue)
    object.set(
      "unit", text: state.instrument?.contract.countsBase == true ? "base" : "contracts")
    let (bids, asks) = (levels(state.bids), levels(state.asks))
    object.set("bids", .leaf(bids))
    object.set("asks", .leaf(asks))
    object.set("bidLevels", integer: state.bidLevels)
    object.set("askLevels", integer: state.askLevels)
    object.set("venueChanges", integer: state.sequence)
    object.set("resyncs", integer: state.resyncs)
    object.set("doubt", text: state.doubt?.words.description)
    object.setObject("hash") { hash in
      hash.set("kind", text: "fnv1a64")
      hash.set("value", text: self.hash(bids, asks))
    }
    if let unbroken = state.unbroken { object.setUnbroken(unbroken) }
    if let proof = state.proof { object.setChecksum(proof) }
    return object
  }

  private static func levels(_ rows: [BookRowState]) -> [UInt8] {
    var writer = JSONWriter(capacity: 1024)
    writer.array(rows) { $0.pair($1.price, $1.size) }
    return writer.bytes
  }

  /// FNV-1a over the JSON of [bids, asks] without whitespace, as 16 digits.
  private static func hash(_ bids: [UInt8], _ asks: [UInt8]) -> String {
    var writer = JSONWriter(capacity: bids.count + asks.count + 8)
    writer.beginArray()
    writer.raw(bids)
    writer.raw(asks)
    writer.endArray()
    var hash = FNV1a()
    for byte in writer.bytes { hash.combine(byte: byte) }
    let digits = String(hash.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The trades, newest first, and whether the venue's numbers have gaps.
  static func trades(
    _ state: TradesState, of instrument: InstrumentKey, numbers: [UInt64: ClosedRange<Int64>]
  ) -> PageObject {
    var object = PageObject()
    object.begin("trades", of: instrument, state.freshness)
    object.setObject("coverage") { coverage in
      let known = state.trades.compactMap { numbers[$0.arrival] }
        .sorted { $0.upperBound < $1.upperBound }
      let missing = zip(known, known.dropFirst()).map {
        max(0, $1.lowerBound - $0.upperBound - 1)
      }
      let isNumbered = !known.isEmpty && known.count == state.trades.count
      coverage.set("whole", isNumbered ? .boolean(missing.allSatisfy { $0 == 0 }) : .null)
      coverage.set("missing", integer: missing.reduce(0, +))
      coverage.set("from", time: state.trades.last?.time)
      coverage.set("to", time: state.trades.first?.time)
    }
    object.set("trades", objects: state.trades) { entry, trade in
      entry.set("number", integer: trade.arrival)
      entry.set("venueNumber", integer: numbers[trade.arrival]?.upperBound)
      entry.set("price", decimal: trade.price)
      entry.set("size", decimal: trade.size)
      entry.set("side", trade.side.map { .text($0.rawValue) } ?? .null)
      entry.set("at", time: trade.time)
    }
    return object
  }

  static func connections(_ state: StatusState, _ freshness: Freshness) -> PageObject {
    var object = PageObject()
    object.begin("connections", of: nil, freshness)
    object.set("worst", text: state.worst.rawValue)
    object.set(
      "connections",
      .array(
        state.order.compactMap { venue in
          state.venues[venue].map { connection(venue, $0) }
        }))
    return object
  }

  private static func connection(_ venue: Venue, _ state: VenueState) -> PageValue {
    var entry = PageObject()
    entry.set("venue", text: venue.rawValue)
    entry.set("name", text: state.name)
    entry.set("phase", text: state.phase.rawValue)
    entry.set("connected", boolean: state.connected)
    entry.set("origin", text: state.origin.rawValue)
    entry.set("since", time: state.since)
    entry.set("lastMessageAt", time: state.lastMessage)
    entry.set("roundTripMicroseconds", integer: state.roundTripMicroseconds)
    entry.set("delayMilliseconds", integer: state.delayMilliseconds)
    entry.set("reconnects", integer: state.reconnects)
    entry.set("resyncs", integer: state.resyncs)
    entry.set("rejected", integer: state.rejected)
    entry.set("skippedInstruments", integer: state.skipped)
    entry.set("nextAttemptAt", time: state.nextAttempt)
    entry.set("reason", text: state.reason?.description)
    return entry.value
  }

  /// A page of the list, with the id of its last row if there are more.
  static func instruments(_ state: MarketListState, _ listing: ScriptListing) -> PageObject {
    let all = state.rows.filter { row in
      listing.venue.map { row.instrument.venue == $0 } ?? true
    }
    let start = listing.after.map { after in
      all.firstIndex { $0.instrument == after }.map { $0 + 1 } ?? all.count
    }
    let rows = all[(start ?? 0)...].prefix(listing.limit)
    var object = PageObject()
    object.begin("instruments", of: nil, state.freshness)
    object.set("total", integer: all.count)
    object.set("next", text: rows.endIndex < all.endIndex ? rows.last?.id : nil)
    object.set("instruments", .array(rows.map(instrument)))
    return object
  }

  private static func instrument(_ row: MarketRow) -> PageValue {
    var entry = PageObject()
    entry.set("id", text: row.id)
    entry.set("venue", text: row.instrument.venue.rawValue)
    entry.set("symbol", text: row.instrument.symbol.text)
    entry.set("name", text: row.name)
    entry.set("kind", text: row.kind.rawValue)
    if !row.quote.isEmpty { entry.set("quote", text: row.quote) }
    entry.set("open", boolean: row.isOpen)
    return entry.value
  }
}

extension PageObject {
  mutating func begin(_ type: String, of instrument: InstrumentKey?, _ freshness: Freshness) {
    set("type", text: type)
    set("instrument", text: instrument?.text)
    set("freshness", freshness: freshness)
  }
}

// MARK: - Orders and candles

extension ScriptObjects {
  /// The newest orders and an overview's open ones, newest first, with the state of the ledger.
  static func orders(_ state: OrdersState, _ freshness: Freshness) -> PageObject {
    let newest = state.rows.prefix(maximumOrders)
    let older = state.openRows.filter { row in newest.last.map { row.id < $0.id } ?? false }
    var object = orders(Array(newest) + older, freshness)
    object.set("total", integer: state.total)
    object.set("openCount", integer: state.openCount)
    object.set(state.storage)
    object.set("failure", text: state.failure?.description)
    return object
  }

  static func orders(_ rows: [OrderRowState], _ freshness: Freshness) -> PageObject {
    var object = PageObject()
    object.begin("orders", of: nil, freshness)
    object.set("orders", .array(rows.map { order($0).value }))
    return object
  }

  static func order(_ row: OrderRowState) -> PageObject {
    var object = PageObject()
    object.set("id", text: row.id.description)
    object.set("clientId", text: row.clientIdentifier.text)
    object.set("symbol", text: row.symbol.text)
    object.set("currency", text: row.currency)
    object.set("status", text: row.status.rawValue)
    object.set("pending", text: row.change?.rawValue)
    object.set("type", text: row.limit == nil ? "market" : "limit")
    object.set("side", text: row.side.rawValue)
    object.set("quantity", decimal: row.quantity)
    object.set("filled", decimal: row.filled)
    if row.possible > row.filled { object.set("possible", decimal: row.possible) }
    object.set("open", decimal: row.open)
    object.set("cancelled", decimal: row.cancelled)
    object.set("price", decimal: row.limit)
    object.set("protection", decimal: row.protection)
    object.set("timeInForce", text: row.timeInForce.rawValue)
    object.set(row.trigger)
    object.set(row.link)
    object.set(row.terms)
    object.set("average", decimal: row.average)
    object.set("slippage", decimal: row.slippage)
    object.set(row.latency)
    object.set("fees", text: row.fees)
    object.set("amendments", integer: row.amendments)
    object.set("placedAt", time: row.placedAt)
    object.set("changedAt", time: row.changedAt)
    object.set("reason", text: row.reason.map(plain))
    object.set("fills", objects: row.fills) { entry, fill in
      entry.set("at", time: fill.time)
      entry.set("price", decimal: fill.price)
      entry.set("quantity", decimal: fill.quantity)
      if let fee = fill.fee {
        entry.set("fee", text: fee)
        entry.set("role", text: fill.isMaker ? "maker" : "taker")
      }
      entry.set("evidence", text: plain(fill.evidence))
    }
    return object
  }

  /// A sentence without the marks for localised figures.
  static func plain(_ sentence: Sentence) -> String {
    let text = sentence.description.split(separator: "{at}", omittingEmptySubsequences: false)
      .joined(separator: "then")
    return String(text.filter { $0 != "{" && $0 != "}" })
  }

  /// The members of a candles object after its beginning.
  static func add(_ page: CandlePage, of venue: Venue, to object: inout PageObject) {
    object.set("interval", integer: page.interval.milliseconds)
    object.set("history", text: page.status.name)
    object.set("hasOlder", boolean: page.hasOlder)
    let span = page.candles.first.map { first in
      first.start..<((page.candles.last?.start ?? first.start) + page.interval.milliseconds)
    }
    let gaps = page.gaps.filter { gap in
      span.map { gap.start < $0.upperBound && gap.end > $0.lowerBound } ?? false
    }
    object.setObject("coverage") { coverage in
      let isWhole = gaps.isEmpty && page.candles.allSatisfy { $0.missing == 0 }
      coverage.set("whole", page.candles.isEmpty ? .null : .boolean(isWhole))
      coverage.set("seenSince", integer: page.seenSince)
      coverage.set("gaps", objects: gaps) { entry, gap in
        entry.set("from", integer: gap.start)
        entry.set("to", integer: gap.end)
      }
    }
    object.set("candles", .array(page.candles.map { candle($0, page, venue) }))
  }

  private static func candle(_ candle: Candle, _ page: CandlePage, _ venue: Venue) -> PageValue {
    var entry = PageObject()
    entry.set("start", integer: candle.start)
    entry.set("open", decimal: FixedDecimal(candle.open, scale: page.priceScale).trimmed)
    entry.set("high", decimal: FixedDecimal(candle.high, scale: page.priceScale).trimmed)
    entry.set("low", decimal: FixedDecimal(candle.low, scale: page.priceScale).trimmed)
    entry.set("close", decimal: FixedDecimal(candle.close, scale: page.priceScale).trimmed)
    entry.set("volume", decimal: FixedDecimal(candle.volume, scale: page.quantityScale).trimmed)
    if venue.descriptor.countsTrades(ofVenue: candle.source == .venue, page.interval) {
      entry.set("trades", integer: candle.count)
    }
    entry.set("missing", integer: candle.missing)
    entry.set("source", text: candle.source.name)
    switch candle.proof {
    case .none: entry.set("proof", text: "none")
    case .proven: entry.set("proof", text: "proven")
    case .contradicted: entry.set("proof", text: "contradicted")
    }
    return entry.value
  }
}
