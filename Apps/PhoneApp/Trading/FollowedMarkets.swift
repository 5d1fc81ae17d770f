import AppState
import MarketModel
import MarketStreams
import OrderService
import PaperTrading
import VenueCatalogue

/// Follows the venues' markets in which orders are placed, open or have left a position, for the
/// order service.
@MainActor final class FollowedMarkets {
  /// The most markets followed at a time.
  static let maximum = 50
  /// How long the first book is awaited.
  private static let patienceMilliseconds: Int64 = 5000

  private struct Followed {
    var gate: OrderMarketGate
    var observations: [FeedClient.Observation] = []
    var waiting: [CheckedContinuation<OrderResponse.Refusal?, Never>] = []
    var patience: FeedClient.Observation?
  }

  private let feeds: FeedClient
  private let deliver: (MarketInput, Symbol) -> Void
  private var markets: [Symbol: Followed] = [:]
  private var open: Set<Symbol> = []
  private var held: Set<Symbol> = []

  init(feeds: FeedClient, deliver: @escaping (MarketInput, Symbol) -> Void) {
    (self.feeds, self.deliver) = (feeds, deliver)
  }

  /// Follows a market for an order; returns nil once its book has been delivered, or why it can't
  /// be traded.
  func ready(_ symbol: Symbol) async -> OrderResponse.Refusal? {
    if let problem = follow(symbol) { return problem }
    guard let gate = markets[symbol]?.gate, !gate.isOpen else { return nil }
    if gate.isUnknown { return FollowedMarkets.unknown(symbol) }
    return await withCheckedContinuation { waiting in
      markets[symbol]?.waiting.append(waiting)
      markets[symbol]?.patience = feeds.schedule(FollowedMarkets.patienceMilliseconds) {
        [weak self] in
        self?.answer(symbol, .init("No prices of \(symbol) have arrived yet."))
      }
    }
  }

  /// Follows the markets with open orders; trades before this were not observed.
  func keep(open: Set<Symbol>) {
    self.open = open
    for symbol in open where markets[symbol] == nil {
      guard follow(symbol) == nil else { continue }
      deliver(.missedTrades, symbol)
    }
  }

  /// Follows a market with a position.
  func hold(_ symbol: Symbol, isFlat: Bool) {
    if isFlat {
      held.remove(symbol)
    } else if held.insert(symbol).inserted {
      _ = follow(symbol)
    }
  }

  /// Stops following the markets without an open order, a position or a waiting command.
  func endUnused() {
    let kept = open.union(held)
    for (symbol, market) in markets where !kept.contains(symbol) && market.waiting.isEmpty {
      markets[symbol] = nil
      deliver(.ended, symbol)
    }
  }

  /// Stops following all markets.
  func end() {
    for symbol in markets.keys {
      answer(symbol, .init("The app is closed. Nothing was ordered."))
    }
    markets = [:]
  }

  private static func unknown(_ symbol: Symbol) -> OrderResponse.Refusal {
    .init("The venue has no market \(symbol).", isFinal: true)
  }

  private func follow(_ symbol: Symbol) -> OrderResponse.Refusal? {
    guard markets[symbol] == nil else { return nil }
    guard let key = InstrumentKey(text: symbol.text), let instrument = BookCatalogue.instrument(key)
    else { return .init("There is no market \(symbol).", isFinal: true) }
    if let obstacle = instrument.obstacle { return .init(obstacle, isFinal: true) }
    guard markets.count < FollowedMarkets.maximum else {
      return .init("Orders can be open in at most \(FollowedMarkets.maximum) markets.")
    }
    markets[symbol] = Followed(
      gate: OrderMarketGate(instrument, fees: key.venue.descriptor.fees))
    let observations = [
      feeds.observeConnections { [weak self] status in
        if status.venue == key.venue { self?.take(.connection(status), of: symbol) }
      },
      feeds.observeEvents([instrument.tradesKey]) { [weak self] in
        self?.take(.event($0, $1), of: symbol)
      },
      feeds.observe(instrument.bookKey) { [weak self] in
        self?.take(.value(instrument.bookKey, $0), of: symbol)
      },
    ]
    markets[symbol]?.observations = observations
    return nil
  }

  private func take(_ input: StreamInput, of symbol: Symbol) {
    guard let inputs = markets[symbol]?.gate.receive(input, at: feeds.now()) else { return }
    for input in inputs { deliver(input, symbol) }
    guard let gate = markets[symbol]?.gate else { return }
    if gate.isOpen { answer(symbol, nil) }
    if gate.isUnknown { answer(symbol, FollowedMarkets.unknown(symbol)) }
  }

  private func answer(_ symbol: Symbol, _ problem: OrderResponse.Refusal?) {
    let waiting = markets[symbol]?.waiting ?? []
    markets[symbol]?.waiting = []
    markets[symbol]?.patience = nil
    waiting.forEach { $0.resume(returning: problem) }
  }
}
