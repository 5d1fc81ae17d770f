import MarketModel
import VenueProtocols
import VenueSimulator

/// A session and the simulated Kraken in one process, message by message, with faults in between.
struct KrakenLoop {
  var session: KrakenSession
  var driver: VenueDriver<SimulatedKraken>
  /// All effects of the session since the start, apart from sent messages.
  private(set) var effects: [SessionEffect] = []
  /// Messages that the session sent, oldest first.
  private(set) var sent: [String] = []
  /// Alters the numbered message of the venue on its way; an empty result loses it.
  var mischief: (Int, [UInt8]) -> [[UInt8]] = { [$1] }
  private(set) var messages = 0
  private let epoch: Timestamp
  private var client = 1
  private var jumped: Int64 = 0

  static let bitcoin = symbol("BTC/USD")
  static let ether = symbol("ETH/USD")

  static func symbol(_ text: String) -> Symbol {
    guard let symbol = Symbol(text) else { preconditionFailure("\(text) is no symbol") }
    return symbol
  }

  init(seed: UInt64, wanting wanted: Set<Subscription>) {
    driver = VenueDriver(
      SimulatedKraken(
        seed: seed, start: VenueDriver<SimulatedKraken>.start, listsAll: false))
    epoch = driver.now
    session = KrakenSession(origin: .simulated)
    perform(session.handle(.wanted(wanted), at: now))
  }

  var now: ClockReading {
    let elapsed = driver.now.nanoseconds - epoch.nanoseconds
    return ClockReading(
      monotonic: MonotonicTime(nanoseconds: elapsed),
      wall: Timestamp(nanoseconds: driver.now.nanoseconds + jumped))
  }

  mutating func jump(milliseconds: Int64) { jumped += milliseconds * 1_000_000 }

  mutating func connect() {
    driver.connect(client, VenueRequest(path: "/v2"))
    perform(session.handle(.opened, at: now))
    pump()
  }

  /// Cuts the connection, loses messages in flight, and reconnects.
  mutating func connectAnew() {
    driver.venue.disconnect(ClientID(client))
    perform(session.handle(.closed, at: now))
    client += 1
    connect()
  }

  /// A message that the venue never sent; without `answering`, the session's messages are lost.
  mutating func hear(_ text: String, answering: Bool = true) {
    let effects = session.receive(Array(text.utf8).span, kind: .text, at: now)
    if answering { perform(effects) }
  }

  mutating func want(_ wanted: Set<Subscription>) {
    perform(session.handle(.wanted(wanted), at: now))
    pump()
  }

  /// Runs both sides, with a timer call four times a second.
  mutating func run(milliseconds: Int64) {
    var left = milliseconds
    while left > 0 {
      let part = min(250, left)
      driver.run(milliseconds: part)
      left -= part
      pump()
      perform(session.handle(.timer, at: now))
      pump()
    }
  }

  /// Delivers messages until both sides have sent everything.
  mutating func pump() {
    while true {
      let arrived = driver.takeBytes(client)
      if arrived.isEmpty { return }
      for bytes in arrived {
        messages += 1
        for message in mischief(messages, bytes) {
          perform(session.receive(message.span, kind: .text, at: now))
        }
      }
    }
  }

  private mutating func perform(_ new: [SessionEffect]) {
    for effect in new {
      if case .send(let message) = effect {
        let text = String(decoding: message.bytes, as: UTF8.self)
        sent.append(text)
        driver.send(text, from: client)
      } else {
        effects.append(effect)
      }
    }
  }

  mutating func forgetEffects() { effects = [] }

  func book(_ symbol: Symbol) -> BookView? {
    guard case .book(let view)? = session.value(for: Subscription(.book, symbol), at: now) else {
      return nil
    }
    return view
  }

  func tape(_ symbol: Symbol) -> TapeView? {
    guard case .trades(let view)? = session.value(for: Subscription(.trades, symbol), at: now)
    else { return nil }
    return view
  }

  func quote(_ symbol: Symbol) -> QuoteView? {
    guard case .quote(let view)? = session.value(for: Subscription(.quote, symbol), at: now)
    else { return nil }
    return view
  }

  /// "price×size" of the best rows, bids and then asks.
  static func table(_ view: BookView?) -> [String] {
    guard let view else { return [] }
    return (view.bids + view.asks).map { row in
      let price = FixedDecimal(row.price, scale: view.priceScale)
      let size = FixedDecimal(row.size, scale: view.quantityScale)
      return "\(price)×\(size)"
    }
  }

  /// The same of the venue's own book.
  func truth(_ symbol: Symbol) -> [String] {
    guard let book = driver.venue.bookLevels(symbol.text, depth: BookView.depth) else { return [] }
    return (book.bids + book.asks).map { "\($0.price)×\($0.quantity)" }
  }
}
