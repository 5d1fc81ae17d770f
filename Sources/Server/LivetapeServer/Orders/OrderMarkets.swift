import AppState
import FeedConnections
import MarketModel
import MarketStreams
import NIOCore
import OrderService
import PaperTrading
import SocketTransport
import VenueCatalogue

/// Hands the order service, or a server behind a bus, the books and trades of the venues' markets
/// that it follows.
///
/// Everything is confined to the hub's event loop.
final class OrderMarkets: Sendable {
  private typealias Ready = (OrderResponse.Refusal?) -> Void

  private let loop: any EventLoop
  private let clock: HubClock
  private let rules: TradingRules
  private let fees: [Venue: FeeRates]
  private let latency: OrderLatency
  private let box: NIOLoopBoundBox<State>

  private struct State {
    /// nil before the start and after the end.
    var followed: FollowedMarkets?
    var feeds: FeedHub?
    var deliver: ((MarketInput, Symbol) -> Void)?
    var observations: [Symbol: [FeedObservation]] = [:]
    var commands: [Int: Ready] = [:]
    var lastCommand = 0
    var timer: RepeatedTask?
  }

  /// `fees` replace those of a venue's lowest tier; orders act after the `latency`.
  init(
    rules: TradingRules, fees: [Venue: FeeRates], latency: OrderLatency, loop: any EventLoop,
    clock: HubClock
  ) {
    (self.rules, self.fees, self.latency) = (rules, fees, latency)
    (self.loop, self.clock) = (loop, clock)
    box = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: loop)
  }

  /// Starts; on the loop, where `deliver` is called too.
  func start(feeds: FeedHub, _ deliver: @escaping (MarketInput, Symbol) -> Void) {
    box.value.followed = FollowedMarkets(
      venues: Set(feeds.venues), rules: rules, fees: fees, latency: latency)
    (box.value.feeds, box.value.deliver) = (feeds, deliver)
    box.value.timer = loop.scheduleRepeatedTask(
      initialDelay: .seconds(30), delay: .seconds(30)
    ) { _ in self.perform(self.box.value.followed?.endUnused(at: self.clock.now().monotonic)) }
  }

  func stop() {
    loop.execute {
      self.box.value.timer?.cancel()
      self.box.value.deliver = nil
      self.perform(self.box.value.followed?.end("Livetape is stopping. Nothing was ordered."))
      (self.box.value.followed, self.box.value.feeds) = (nil, nil)
    }
  }

  /// Follows a market for an order; `ready` gets nil once its book has been delivered, or why it
  /// can't be traded.
  ///
  /// Callable from any thread; `ready` is called on the loop.
  func open(_ symbol: Symbol, ready: @escaping @Sendable (OrderResponse.Refusal?) -> Void) {
    loop.perform {
      guard self.box.value.followed != nil else {
        return ready(.init("Livetape is starting or stopping."))
      }
      self.box.value.lastCommand += 1
      let command = self.box.value.lastCommand
      self.box.value.commands[command] = ready
      let now = self.clock.now().monotonic
      self.perform(self.box.value.followed?.request(command, in: symbol, at: now))
    }
  }

  /// Follows the markets of open orders and positions; on the loop.
  func follow(_ news: TradingNews) {
    let now = clock.now().monotonic
    switch news {
    case .overview(let overview):
      perform(box.value.followed?.keep(open: overview.openMarkets, at: now))
    case .position(let report) where report.rules.hasBook:
      let isFlat = report.account.quantity == .zero
      perform(box.value.followed?.hold(report.rules.symbol, isFlat: isFlat, at: now))
    default: break
    }
  }

  private func perform(_ effects: [FollowedMarkets.Effect]?) {
    for effect in effects ?? [] {
      switch effect {
      case .observe(let symbol, let instrument): observe(symbol, instrument)
      case .release(let symbol):
        for observation in box.value.observations.removeValue(forKey: symbol) ?? [] {
          observation.cancel()
        }
      case .deliver(let input, let symbol): box.value.deliver?(input, symbol)
      case .answer(let command, let obstacle):
        let refusal = obstacle.map { OrderResponse.Refusal($0.text, isFinal: $0.isFinal) }
        box.value.commands.removeValue(forKey: command)?(refusal)
      case .schedule(let command, let symbol):
        loop.scheduleTask(in: .milliseconds(FollowedMarkets.patienceMilliseconds)) {
          self.perform(self.box.value.followed?.expire(command, of: symbol))
        }
      }
    }
  }

  private func observe(_ symbol: Symbol, _ instrument: BookInstrument) {
    guard let feeds = box.value.feeds else { return }
    box.value.observations[symbol] = [
      feeds.observeEvents([instrument.tradesKey]) { key, event, arrival in
        self.loop.perform { self.take(.event(key, event), of: symbol, at: arrival) }
      },
      feeds.observe([instrument.bookKey]) { key, value in
        self.loop.perform { self.take(.value(key, value), of: symbol) }
      },
      feeds.observeConnections { status in
        guard status.venue == instrument.venue else { return }
        self.loop.perform { self.take(.connection(status), of: symbol) }
      },
    ]
  }

  private func take(_ input: StreamInput, of symbol: Symbol, at arrival: ClockReading? = nil) {
    perform(box.value.followed?.receive(input, of: symbol, at: arrival ?? clock.now()))
  }
}
