import AppState
import MarketModel
import MarketStreams
import PaperTrading
import VenueCatalogue
import WireJSON

/// The position in the exchange's stock, as topic `positions` has it, with freshness.
///
/// The quantity comes from the ledger. Its value is calculated at a price of the exchange, so the
/// freshness of a position is limited by that price's, and nothing is live before the first price.
struct ScriptPositions: TopicScreen {
  private var screen = PositionsScreen(symbol: ExchangeCatalogue.symbol)
  private var exchange: ExchangeScreen
  private var origin: DataOrigin
  private var failure: Sentence?
  private var heardAt: ClockReading?

  init(origin: DataOrigin) {
    self.origin = origin
    exchange = ExchangeScreen(symbol: ExchangeCatalogue.symbol, origin: origin)
  }

  var interests: Set<StreamInterest> { exchange.interests.union([.orders, .positions]) }
  var freshness: Freshness? {
    guard screen.state.isLoaded else { return .waiting(origin) }
    let holds = screen.state.quantity.map { $0.units != 0 } ?? false
    let known = Freshness(state: .live, origin: origin, confirmedAt: heardAt)
    let needsPrice = holds || exchange.state.price == nil
    let judged = needsPrice ? exchange.state.freshness : known
    return failure == nil ? judged : judged.noBetter(than: judged.changed(to: .stale))
  }
  var page: PageValue {
    ScriptObjects.positions(screen.state, failure: failure, freshness ?? .waiting(origin)).value
  }

  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    if case .connection(let status) = input, status.venue == .exchange { origin = status.origin }
    if case .orders(let overview) = input { failure = overview.failure }
    if case .position = input { heardAt = now }
    if case .timer = input, screen.state.isLoaded, failure == nil { heardAt = now }
    return exchange.receive(input, at: now) + screen.receive(input, at: now)
  }
}

extension ScriptObjects {
  static func positions(
    _ state: PositionsState, failure: Sentence?, _ freshness: Freshness
  ) -> PageObject {
    var object = PageObject()
    object.begin("positions", of: InstrumentKey(.exchange, state.symbol), freshness)
    object.set("currency", text: state.currency)
    object.set("quantity", decimal: state.quantity)
    object.set("cash", text: state.cash)
    object.set("fees", text: state.fees)
    if let out = state.out { object.set("out") { $0.pair(out.price, out.quantity) } }
    if let exit = state.exit { object.setObject("exit") { exit.write(to: &$0) } }
    object.set("value", text: state.value)
    object.set("equity", text: state.equity)
    object.set(state.range)
    object.set("note", text: state.note.map(plain))
    object.setObject("average") { state.average.write(to: &$0) }
    object.setObject("fifo") { state.fifo.write(to: &$0) }
    object.set("line", objects: state.line) { entry, point in
      entry.set("at", time: point.time)
      entry.set("equity", text: point.equity)
      entry.set("fill", boolean: point.isFill)
    }
    object.set("failure", text: failure?.description)
    return object
  }
}
