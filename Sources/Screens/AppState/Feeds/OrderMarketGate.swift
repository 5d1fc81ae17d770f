package import MarketModel
package import MarketStreams
package import PaperTrading
package import VenueCatalogue

/// Converts the book and trades of a venue's market to the order service's input, on server and
/// phone.
///
/// Passes every trade, and the book with its displayed freshness, so that no order fills at a price
/// shown as stale.
package struct OrderMarketGate {
  /// The book's and the trades' streams.
  package let wanted: Set<MarketKey>
  /// Whether a book has been passed.
  package private(set) var isOpen = false
  /// Whether the venue has reported that it has no such market.
  package private(set) var isUnknown = false

  private let instrument: BookInstrument
  private let fees: FeeRates?
  /// How long new orders are on their way.
  package var latency: OrderLatency
  private var connection: ConnectionStatus?
  private var stream: BookStream
  private var sent: FreshnessState?
  private var link: VenueLink
  private var lastTrade: Int64 = 0
  /// Whether trades may have been missed since the latest one.
  private var isInterrupted = false

  /// `fees` are what the venue charges; nil if unknown.
  package init(
    _ instrument: BookInstrument, fees: FeeRates? = nil,
    latency: OrderLatency = .fixed(milliseconds: 0)
  ) {
    (self.fees, self.latency) = (fees, latency)
    wanted = [instrument.bookKey, instrument.tradesKey]
    self.instrument = instrument
    stream = BookStream(instrument.bookKey, origin: .venue)
    link = VenueLink(instrument.venue)
  }

  /// Converts an input; empty if nothing changed for orders.
  package mutating func receive(_ input: StreamInput, at now: ClockReading) -> [MarketInput] {
    switch input {
    case .event(_, .trade(let trade, let priceScale, let quantityScale)):
      defer { (lastTrade, isInterrupted) = (trade.identifier, false) }
      let isNext = lastTrade != 0 && trade.follows(lastTrade)
      return (isInterrupted && !isNext ? [.missedTrades] : [])
        + [.trade(trade, priceScale: priceScale, quantityScale: quantityScale)]
    case .event(_, .missed):
      (lastTrade, isInterrupted) = (0, false)
      return [.missedTrades]
    case .event: return []
    case .connection(let status):
      if link.update(status) == .lost { isInterrupted = true }
      if status.venue == instrument.venue { connection = status }
    case .value: break
    }
    guard stream.receive(input) else { return [] }
    guard let view = stream.value else { return [] }
    // A price is an amount of a currency, which the venue's list may have to state first.
    let currency = instrument.listed(as: view.listed).quote
    guard !currency.isEmpty || !view.isKnown else { return [] }
    isUnknown = !view.isKnown
    let freshness = stream.freshness
    guard freshness.state == .live, view.isKnown, view.status == .synced else {
      guard freshness.state != .waiting, freshness.state != sent, isOpen else { return [] }
      sent = freshness.state
      return [.freshness(freshness.state)]
    }
    (sent, isOpen) = (.live, true)
    let lateAt = freshness.confirmedAt.flatMap { confirmed in
      freshness.lateAfterMilliseconds.map { confirmed.monotonic.adding(milliseconds: $0) }
    }
    return [
      .book(
        view, currency: currency, fees: fees,
        latencyMilliseconds: latency.milliseconds(of: connection), lateAt: lateAt)
    ]
  }
}
