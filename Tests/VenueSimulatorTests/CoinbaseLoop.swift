import MarketModel
import VenueProtocols
import VenueSimulator

/// A session and the simulated Coinbase in one process, message by message, with faults in between.
struct CoinbaseLoop {
  var session = CoinbaseSession(origin: .simulated)
  var driver: VenueDriver<SimulatedCoinbase>
  /// All effects of the session since the start, apart from sent messages.
  private(set) var effects: [SessionEffect] = []
  /// Messages that the session sent, oldest first.
  private(set) var sent: [String] = []
  /// Alters the numbered message of the venue on its way; an empty result loses it.
  var mischief: (Int, [UInt8]) -> [[UInt8]] = { [$1] }
  private(set) var messages = 0
  private(set) var reconnects = 0
  private let epoch: Timestamp
  private var client = 0
  private var needsConnection = false

  static let bitcoin = Symbol(known: "BTC-USD")
  static let ether = Symbol(known: "ETH-USD")

  init(seed: UInt64, wanting wanted: Set<Subscription>) {
    driver = VenueDriver(
      SimulatedCoinbase(seed: seed, start: VenueDriver<SimulatedCoinbase>.start))
    epoch = driver.now
    perform(session.handle(.wanted(wanted), at: now))
    connect()
  }

  var now: ClockReading {
    ClockReading(
      monotonic: MonotonicTime(nanoseconds: driver.now.nanoseconds - epoch.nanoseconds),
      wall: driver.now)
  }

  mutating func connect() {
    client += 1
    needsConnection = false
    driver.connect(client, VenueRequest(path: "/advanced"))
    perform(session.handle(.opened, at: now))
    pump()
  }

  mutating func want(_ wanted: Set<Subscription>) {
    perform(session.handle(.wanted(wanted), at: now))
    pump()
  }

  /// Runs both sides, with a timer call four times a second; a reconnect takes until the next one.
  mutating func run(milliseconds: Int64) {
    var left = milliseconds
    while left > 0 {
      let part = min(250, left)
      driver.run(milliseconds: part)
      left -= part
      pump()
      perform(session.handle(.timer, at: now))
      pump()
      guard needsConnection else { continue }
      reconnects += 1
      driver.venue.disconnect(ClientID(client))
      perform(session.handle(.closed, at: now))
      connect()
    }
  }

  private mutating func pump() {
    while !needsConnection {
      let arrived = driver.takeBytes(client)
      if arrived.isEmpty { return }
      for bytes in arrived where !needsConnection {
        messages += 1
        for message in mischief(messages, bytes) {
          perform(session.receive(message.span, kind: .text, at: now))
        }
      }
    }
  }

  private mutating func perform(_ new: [SessionEffect]) {
    for effect in new {
      switch effect {
      case .send(let message):
        let text = String(decoding: message.bytes, as: UTF8.self)
        sent.append(text)
        driver.send(text, from: client)
      case .reconnect:
        needsConnection = true
        effects.append(effect)
      default: effects.append(effect)
      }
    }
  }

  func book(_ symbol: Symbol = bitcoin) -> BookView? {
    guard case .book(let view)? = session.value(for: Subscription(.book, symbol), at: now) else {
      return nil
    }
    return view
  }

  func tape(_ symbol: Symbol = bitcoin) -> TapeView? {
    guard case .trades(let view)? = session.value(for: Subscription(.trades, symbol), at: now)
    else { return nil }
    return view
  }

  func figures(_ symbol: Symbol = bitcoin) -> DayFigures? {
    guard case .figures(let view)? = session.value(for: Subscription(.figures, symbol), at: now)
    else { return nil }
    return view
  }

  /// "price×size" of the best rows, bids and then asks.
  static func table(_ view: BookView?) -> [String] {
    guard let view else { return [] }
    return (view.bids + view.asks).map { row in
      let price = FixedDecimal(row.price, scale: view.priceScale).trimmed
      return "\(price)×\(FixedDecimal(row.size, scale: view.quantityScale).trimmed)"
    }
  }

  /// The same of the venue's own book, as of its latest update.
  func truth(_ symbol: Symbol = bitcoin) -> [String] {
    guard let book = driver.venue.publishedLevels(symbol.text, depth: BookView.depth) else {
      return []
    }
    return (book.bids + book.asks).map { "\($0.price)×\($0.quantity)" }
  }
}
