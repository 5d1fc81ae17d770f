import AppState
import FeedConnections
import MarketModel
import MarketStreams
import NIOCore
import OrderService
import PaperTrading
import VenueCatalogue

/// Follows the venues' markets in which orders are placed, have open orders or a position.
///
/// Everything is confined to the hub's event loop.
final class OrderMarkets: Sendable {
  /// The most markets followed at a time.
  static let maximum = 200
  /// The most markets followed without an open order or a position.
  static let maximumUnused = 20
  /// How long the first book is awaited.
  static let patience = TimeAmount.seconds(5)
  /// How long a market without open orders is followed after the latest order or preview.
  private static let lingerMilliseconds: Int64 = 300_000

  private let loop: any EventLoop
  private let clock: HubClock
  private let fees: [Venue: FeeRates]
  private let box: NIOLoopBoundBox<State>

  private struct Followed {
    var gate: OrderMarketGate
    var observations: [FeedObservation] = []
    var waiting: [(number: Int, ready: (OrderResponse.Refusal?) -> Void)] = []
    var usedAt: MonotonicTime
  }

  private struct State {
    var feeds: FeedHub?
    var deliver: ((MarketInput, Symbol) -> Void)?
    var markets: [Symbol: Followed] = [:]
    var open: Set<Symbol> = []
    var held: Set<Symbol> = []
    var timer: RepeatedTask?
    var lastNumber = 0
  }

  /// `fees` replace those of a venue's lowest tier.
  init(fees: [Venue: FeeRates], loop: any EventLoop, clock: HubClock) {
    (self.fees, self.loop, self.clock) = (fees, loop, clock)
    box = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: loop)
  }

  /// Starts; on the loop, where `deliver` is called too.
  func start(feeds: FeedHub, _ deliver: @escaping (MarketInput, Symbol) -> Void) {
    (box.value.feeds, box.value.deliver) = (feeds, deliver)
    box.value.timer = loop.scheduleRepeatedTask(
      initialDelay: .seconds(30), delay: .seconds(30)
    ) { _ in self.endUnused() }
  }

  func stop() {
    loop.execute {
      self.box.value.timer?.cancel()
      self.box.value.deliver = nil
      for symbol in self.box.value.markets.keys { self.end(symbol) }
      self.box.value.feeds = nil
    }
  }

  /// Follows a market for an order; `ready` gets nil once its book has been delivered, or why it
  /// can't be traded.
  ///
  /// Callable from any thread; `ready` is called on the loop.
  func open(_ symbol: Symbol, ready: @escaping @Sendable (OrderResponse.Refusal?) -> Void) {
    onLoop {
      if let problem = self.follow(symbol) { return ready(problem) }
      guard let gate = self.box.value.markets[symbol]?.gate, !gate.isOpen else {
        return ready(nil)
      }
      if gate.isUnknown { return ready(OrderMarkets.unknown(symbol)) }
      self.box.value.lastNumber += 1
      let number = self.box.value.lastNumber
      self.box.value.markets[symbol]?.waiting.append((number, ready))
      self.loop.scheduleTask(in: OrderMarkets.patience) {
        self.answer(symbol, .init("No prices of {\(symbol)} have arrived yet."), only: number)
      }
    }
  }

  /// The markets with open orders, and those with a position: followed as long as they are.
  ///
  /// On the loop. Trades before this were not observed.
  func keep(open: Set<Symbol>) {
    box.value.open = open
    for symbol in open where box.value.markets[symbol] == nil {
      guard follow(symbol) == nil else { continue }
      box.value.deliver?(.missedTrades, symbol)
    }
  }

  /// Notes whether there is a position in a market; on the loop.
  func hold(_ symbol: Symbol, isFlat: Bool) {
    if isFlat {
      box.value.held.remove(symbol)
    } else if box.value.held.insert(symbol).inserted {
      _ = follow(symbol)
    }
  }

  private static func unknown(_ symbol: Symbol) -> OrderResponse.Refusal {
    .init("The venue has no market {\(symbol)}.", isFinal: true)
  }

  private func follow(_ symbol: Symbol) -> OrderResponse.Refusal? {
    if box.value.markets[symbol] != nil {
      box.value.markets[symbol]?.usedAt = clock.now().monotonic
      return nil
    }
    guard let feeds = box.value.feeds else {
      return .init("Livetape is starting or stopping.")
    }
    guard let key = InstrumentKey(text: symbol.text), feeds.venues.contains(key.venue),
      let instrument = BookCatalogue.instrument(key)
    else { return .init("There is no market {\(symbol)}.", isFinal: true) }
    if let obstacle = instrument.obstacle { return .init(obstacle, isFinal: true) }
    let unused = unused
    if unused.count >= OrderMarkets.maximumUnused, let oldest = unused.first { end(oldest) }
    guard box.value.markets.count < OrderMarkets.maximum else {
      return .init("Orders can be open in at most \(OrderMarkets.maximum) markets.")
    }
    let gate = OrderMarketGate(
      instrument, fees: fees[key.venue] ?? key.venue.descriptor.fees)
    box.value.markets[symbol] = Followed(gate: gate, usedAt: clock.now().monotonic)
    box.value.markets[symbol]?.observations = [
      feeds.observeEvents([instrument.tradesKey]) { key, event, arrival in
        self.onLoop { self.take(.event(key, event), of: symbol, at: arrival) }
      },
      feeds.observe([instrument.bookKey]) { key, value in
        self.onLoop { self.take(.value(key, value), of: symbol) }
      },
      feeds.observeConnections { status in
        guard status.venue == key.venue else { return }
        self.onLoop { self.take(.connection(status), of: symbol) }
      },
    ]
    return nil
  }

  private func take(_ input: StreamInput, of symbol: Symbol, at arrival: ClockReading? = nil) {
    guard let inputs = box.value.markets[symbol]?.gate.receive(input, at: arrival ?? clock.now())
    else { return }
    for input in inputs { box.value.deliver?(input, symbol) }
    guard let market = box.value.markets[symbol], !market.waiting.isEmpty else { return }
    if market.gate.isOpen { answer(symbol, nil) }
    if market.gate.isUnknown { answer(symbol, OrderMarkets.unknown(symbol)) }
  }

  /// Answers the waiting commands, or one of them.
  private func answer(
    _ symbol: Symbol, _ problem: OrderResponse.Refusal?, only number: Int? = nil
  ) {
    let waiting = box.value.markets[symbol]?.waiting ?? []
    box.value.markets[symbol]?.waiting = waiting.filter { number != nil && $0.number != number }
    for one in waiting where number == nil || one.number == number { one.ready(problem) }
  }

  /// The markets without an open order, a position or a waiting command, least recently used first.
  private var unused: [Symbol] {
    let kept = box.value.open.union(box.value.held)
    return box.value.markets.filter { !kept.contains($0.key) && $0.value.waiting.isEmpty }
      .sorted { $0.value.usedAt < $1.value.usedAt }.map(\.key)
  }

  private func endUnused() {
    let now = clock.now().monotonic
    for symbol in unused {
      guard let usedAt = box.value.markets[symbol]?.usedAt,
        now.milliseconds(since: usedAt) >= OrderMarkets.lingerMilliseconds
      else { return }
      end(symbol)
    }
  }

  private func end(_ symbol: Symbol) {
    for observation in box.value.markets[symbol]?.observations ?? [] { observation.cancel() }
    answer(symbol, .init("Livetape is stopping. Nothing was ordered."))
    box.value.markets[symbol] = nil
    box.value.deliver?(.ended, symbol)
  }

  private func onLoop(_ work: @escaping @Sendable () -> Void) {
    if loop.inEventLoop { work() } else { loop.execute(work) }
  }
}
