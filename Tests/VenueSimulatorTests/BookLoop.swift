import MarketModel
import VenueProtocols
import VenueSimulator

/// A session and a simulated venue in one process, message by message, with faults in between.
struct BookLoop<Simulated: TruthTelling> {
  var session: any VenueSession
  var driver: VenueDriver<Simulated>
  /// All effects of the session since the start, apart from sent messages.
  private(set) var effects: [SessionEffect] = []
  /// Messages that the session sent, oldest first.
  private(set) var sent: [String] = []
  /// Alters the numbered message of the venue on its way; an empty result loses it.
  var mischief: (Int, [UInt8]) -> [[UInt8]] = { [$1] }
  private(set) var messages = 0
  /// How long a response over HTTP takes; the venue makes it at once.
  var responseMilliseconds: Int64 = 0
  /// Whether every response over HTTP is a 503.
  var refusesRequests = false
  private var responses: [(due: Timestamp, bytes: [UInt8])] = []
  private let path: String
  private let epoch: Timestamp
  private var client = 1
  private var jumped: Int64 = 0

  static var start: Timestamp { VenueDriver<Simulated>.start }

  init(
    _ venue: Venue, _ simulated: Simulated, path: String, wanting wanted: Set<Subscription>
  ) {
    driver = VenueDriver(simulated)
    epoch = driver.now
    self.path = path
    session = venue.adapter.session(SessionSetup(origin: .simulated))
    perform(session.handle(.wanted(wanted), at: now))
  }

  var now: ClockReading {
    ClockReading(
      monotonic: MonotonicTime(nanoseconds: driver.now.nanoseconds - epoch.nanoseconds),
      wall: Timestamp(nanoseconds: driver.now.nanoseconds + jumped))
  }

  mutating func jump(milliseconds: Int64) { jumped += milliseconds * 1_000_000 }

  mutating func connect() {
    driver.connect(client, VenueRequest(path: path))
    perform(session.handle(.opened, at: now))
    pump()
  }

  /// Cuts the connection, loses messages in flight, and reconnects.
  mutating func connectAgain() {
    driver.venue.disconnect(ClientID(client))
    perform(session.handle(.closed, at: now))
    client += 1
    responses = []
    connect()
  }

  /// A message that the venue never sent; without `answering`, the session's messages are lost.
  mutating func inject(_ text: String, answering: Bool = true) {
    let effects = session.receive(Array(text.utf8).span, kind: .text, at: now)
    if answering { perform(effects) }
  }

  mutating func want(_ wanted: Set<Subscription>) {
    perform(session.handle(.wanted(wanted), at: now))
    pump()
  }

  /// Runs both sides, with a timer call four times a second; reconnects when the session asks.
  mutating func run(milliseconds: Int64) {
    var left = milliseconds
    while left > 0 {
      let part = min(responseMilliseconds > 0 ? 50 : 250, left)
      driver.run(milliseconds: part)
      left -= part
      pump()
      perform(session.handle(.timer, at: now))
      pump()
    }
  }

  /// Delivers messages until both sides have sent everything.
  mutating func pump() {
    while let next = responses.first, next.due <= driver.now {
      responses.removeFirst()
      perform(session.receive(next.bytes.span, kind: .text, at: now))
    }
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
    var reconnects = false
    for effect in new {
      if case .send(let message) = effect {
        let text = String(decoding: message.bytes, as: UTF8.self)
        sent.append(text)
        driver.send(text, from: client)
        continue
      }
      if case .fetch(let request) = effect {
        sent.append("GET \(request.path)")
        let due = Timestamp(
          nanoseconds: driver.now.nanoseconds + responseMilliseconds * 1_000_000)
        responses.append((due, respond(to: request)))
        continue
      }
      effects.append(effect)
      if case .reconnect = effect { reconnects = true }
    }
    if reconnects { connectAgain() }
  }

  private mutating func respond(to request: FetchRequest) -> [UInt8] {
    let parts = request.path.split(separator: "?", maxSplits: 1)
    let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { member in
      let sides = member.split(separator: "=", maxSplits: 1).map(String.init)
      return (name: sides[0], value: sides.count > 1 ? sides[1] : "")
    }
    let call = VenueRequest(path: String(parts[0]), query: query)
    let response =
      refusesRequests
      ? VenueResponse(status: 503, body: []) : driver.venue.respond(to: call, at: driver.now)
    return FetchedResponse(
      path: request.path, status: response?.status ?? 404,
      retryAfterSeconds: response?.headers["retry-after"].flatMap { Int($0) },
      body: response?.body ?? []
    ).message
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

  func figures(_ symbol: Symbol) -> DayFigures? {
    guard case .figures(let view)? = session.value(for: Subscription(.figures, symbol), at: now)
    else { return nil }
    return view
  }

  var resyncs: Int { effects.count { if case .resynced = $0 { true } else { false } } }
  var rejections: Int { effects.count { if case .rejected = $0 { true } else { false } } }
  var reconnects: Int { effects.count { if case .reconnect = $0 { true } else { false } } }

  /// "price×size" of the best rows a side.
  static func table(_ view: BookView?, depth: Int) -> [String] {
    guard let view else { return [] }
    return (view.bids.prefix(depth) + view.asks.prefix(depth)).map { row in
      let price = FixedDecimal(row.price, scale: view.priceScale).trimmed
      return "\(price)×\(FixedDecimal(row.size, scale: view.quantityScale).trimmed)"
    }
  }

  /// The venue's own rows, as in ``table(_:depth:)``.
  func truth(_ symbol: Symbol, depth: Int) -> [String] {
    guard let levels = driver.venue.bestLevels(symbol, depth: depth) else { return [] }
    return (levels.bids + levels.asks).map { "\($0.price.trimmed)×\($0.size.trimmed)" }
  }
}
