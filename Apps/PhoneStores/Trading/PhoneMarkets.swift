import AppState
import MarketModel
import MarketStreams
import OrderService
import PaperTrading
import VenueCatalogue

/// Hands the order service the books and trades of the venues' markets that it follows.
@MainActor final class PhoneMarkets {
  private typealias Waiting = CheckedContinuation<OrderResponse.Refusal?, Never>

  private let feeds: FeedClient
  private let deliver: (MarketInput, Symbol) -> Void
  private var followed: FollowedMarkets
  private var observations: [Symbol: [FeedClient.Observation]] = [:]
  private var commands: [Int: (waiting: Waiting, patience: FeedClient.Observation?)] = [:]
  private var lastCommand = 0

  init(
    rules: TradingRules, feeds: FeedClient, deliver: @escaping (MarketInput, Symbol) -> Void
  ) {
    (self.feeds, self.deliver) = (feeds, deliver)
    followed = FollowedMarkets(rules: rules)
  }

  /// How long new orders are on their way.
  var latency: OrderLatency {
    get { followed.latency }
    set { followed.latency = newValue }
  }

  private var now: MonotonicTime { feeds.now().monotonic }

  /// Follows a market for an order; returns nil once its book has been delivered, or why it can't
  /// be traded.
  func ready(_ symbol: Symbol) async -> OrderResponse.Refusal? {
    await withCheckedContinuation { waiting in
      lastCommand += 1
      commands[lastCommand] = (waiting, nil)
      perform(followed.request(lastCommand, in: symbol, at: now))
    }
  }

  /// Follows the markets with open orders.
  func keep(open: Set<Symbol>) { perform(followed.keep(open: open, at: now)) }

  /// Notes whether there is a position in a market.
  func hold(_ symbol: Symbol, isFlat: Bool) {
    perform(followed.hold(symbol, isFlat: isFlat, at: now))
  }

  /// Stops following the markets without an open order, a position or a waiting command.
  func endUnused() { perform(followed.endUnused(for: 0, at: now)) }

  /// Stops following all markets.
  func end() { perform(followed.end("The app is closed. Nothing was ordered.")) }

  private func perform(_ effects: [FollowedMarkets.Effect]) {
    for effect in effects {
      switch effect {
      case .observe(let symbol, let instrument): observe(symbol, instrument)
      case .release(let symbol): observations[symbol] = nil
      case .deliver(let input, let symbol): deliver(input, symbol)
      case .answer(let command, let obstacle):
        let refusal = obstacle.map { OrderResponse.Refusal($0.text, isFinal: $0.isFinal) }
        commands.removeValue(forKey: command)?.waiting.resume(returning: refusal)
      case .schedule(let command, let symbol):
        commands[command]?.patience = feeds.schedule(FollowedMarkets.patienceMilliseconds) {
          [weak self] in
          guard let self else { return }
          perform(followed.expire(command, of: symbol))
        }
      }
    }
  }

  private func observe(_ symbol: Symbol, _ instrument: BookInstrument) {
    observations[symbol] = [
      feeds.observeConnections { [weak self] status in
        if status.venue == instrument.venue { self?.take(.connection(status), of: symbol) }
      },
      feeds.observeEvents([instrument.tradesKey]) { [weak self] in
        self?.take(.event($0, $1), of: symbol)
      },
      feeds.observe(instrument.bookKey) { [weak self] in
        self?.take(.value(instrument.bookKey, $0), of: symbol)
      },
    ]
  }

  private func take(_ input: StreamInput, of symbol: Symbol) {
    perform(followed.receive(input, of: symbol, at: feeds.now()))
  }
}
