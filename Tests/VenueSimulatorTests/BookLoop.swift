import MarketModel
import Testing
import VenueCatalogue
import VenueProtocols
import VenueSimulator

/// A session and a simulated venue in one process, message by message, with faults in between.
struct BookLoop: CustomTestStringConvertible {
  let venue: VenueCase
  var session: any VenueSession
  var driver: VenueDriver<FaultableVenue>
  /// All effects of the session since the start, apart from sent messages.
  private(set) var effects: [SessionEffect] = []
  /// Messages that the session sent, oldest first.
  private(set) var sent: [String] = []
  /// Alters the numbered message of the venue on its way; an empty result loses it.
  var mischief: (Int, [UInt8]) -> [[UInt8]] = { [$1] }
  private(set) var messages = 0
  /// How long a response over HTTP takes; the venue makes it at once.
  var responseMilliseconds: Int64
  /// Whether every response over HTTP is a 503.
  var refusesRequests = false
  /// How long the client waits before it reconnects after the venue has ended the connection.
  var reconnectMilliseconds: Int64 = 500
  /// The longest time between two looks at the venue's messages.
  var stepMilliseconds: Int64 = 250
  private var responses: [(due: Timestamp, bytes: [UInt8])] = []
  private let epoch: Timestamp
  private var client = 0
  private var jumped: Int64 = 0
  private var connectsAt: Timestamp?
  private var timerAt: Timestamp

  var testDescription: String { "\(venue.testDescription) after \(milliseconds) ms" }

  static var start: Timestamp { VenueDriver<FaultableVenue>.start }

  init(_ venue: VenueCase, seed: UInt64 = 5, wanting wanted: Set<Subscription>? = nil) {
    self.venue = venue
    driver = VenueDriver(FaultableVenue(venue.make(seed, Self.start), seed: seed))
    epoch = driver.now
    timerAt = driver.now
    responseMilliseconds = venue.responseMilliseconds
    session = venue.venue.adapter.session(SessionSetup(origin: .simulated))
    perform(session.handle(.wanted(wanted ?? venue.streams), at: now))
  }

  var milliseconds: Int64 { driver.now.milliseconds - epoch.milliseconds }

  var now: ClockReading {
    ClockReading(
      monotonic: MonotonicTime(nanoseconds: driver.now.nanoseconds - epoch.nanoseconds),
      wall: Timestamp(nanoseconds: driver.now.nanoseconds + jumped))
  }

  mutating func jump(milliseconds: Int64) { jumped += milliseconds * 1_000_000 }

  /// Connects, unless the venue refuses, which leads to another attempt.
  mutating func connect() {
    let request = VenueRequest(path: venue.venue.descriptor.simulatedPath)
    guard driver.venue.refusal(of: request, at: driver.now) == nil else {
      connectLater()
      return
    }
    connectsAt = nil
    client += 1
    driver.connect(client, request)
    perform(session.handle(.opened, at: now))
    pump()
  }

  /// Cuts the connection, loses messages in flight, and reconnects.
  mutating func connectAgain() {
    driver.venue.disconnect(ClientID(client))
    perform(session.handle(.closed, at: now))
    responses = []
    connect()
  }

  private mutating func connectLater() {
    connectsAt = Timestamp(nanoseconds: driver.now.nanoseconds + reconnectMilliseconds * 1_000_000)
  }

  var isConnected: Bool { connectsAt == nil }

  /// A message that the venue never sent; without `answering`, the session's messages are lost.
  mutating func inject(_ text: String, answering: Bool = true) {
    let effects = session.receive(Array(text.utf8).span, kind: .text, at: now)
    if answering { perform(effects) }
  }

  mutating func want(_ wanted: Set<Subscription>) {
    perform(session.handle(.wanted(wanted), at: now))
    pump()
  }

  /// Runs both sides, with a timer call four times a second; reconnects when the session asks, and
  /// after a while when the venue has closed.
  mutating func run(milliseconds: Int64) {
    var left = milliseconds
    while left > 0 {
      let part = min(responseMilliseconds > 0 ? 50 : stepMilliseconds, left)
      driver.run(milliseconds: part)
      left -= part
      if driver.closed.contains(ClientID(client)), isConnected {
        perform(session.handle(.closed, at: now))
        responses = []
        connectLater()
      }
      if let due = connectsAt, due <= driver.now { connect() }
      pump()
      if driver.now >= timerAt {
        timerAt = Timestamp(nanoseconds: driver.now.nanoseconds + 250_000_000)
        perform(session.handle(.timer, at: now))
        pump()
      }
    }
  }

  /// Delivers messages until both sides have sent everything.
  mutating func pump() {
    while let next = responses.first, next.due <= driver.now {
      responses.removeFirst()
      perform(session.receive(next.bytes.span, kind: .text, at: now))
    }
    while isConnected {
      let current = client
      let arrived = driver.takeBytes(client)
      if arrived.isEmpty { return }
      for bytes in arrived where client == current {
        messages += 1
        for message in mischief(messages, bytes) where client == current {
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
        if isConnected { driver.send(text, from: client) }
        continue
      }
      if case .fetch(let request) = effect {
        sent.append("GET \(request.path)")
        let due = Timestamp(nanoseconds: driver.now.nanoseconds + responseMilliseconds * 1_000_000)
        responses.append((due, respond(to: request)))
        continue
      }
      effects.append(effect)
      if case .reconnect = effect { reconnects = true }
    }
    if reconnects { connectAgain() }
  }

  private mutating func respond(to request: FetchRequest) -> [UInt8] {
    let response =
      refusesRequests
      ? VenueResponse(status: 503, body: [])
      : driver.venue.respond(to: VenueRequest(text: request.path), at: driver.now)
    return FetchedResponse(
      path: request.path, status: response?.status ?? 404,
      retryAfterSeconds: response?.headers["retry-after"].flatMap { Int($0) },
      body: response?.body ?? []
    ).message
  }

  mutating func forgetEffects() { effects = [] }

  /// Whether something sent is a request for the list of markets.
  static func isForList(_ sent: String) -> Bool {
    ["products?product_type=SPOT", "public/instruments?", "instruments-info?", "permissions=SPOT"]
      .contains { sent.hasPrefix("GET ") && sent.contains($0) }
  }

  func book(_ symbol: Symbol? = nil) -> BookView? {
    let subscription = Subscription(.book, symbol ?? venue.bitcoin)
    guard case .book(let view)? = session.value(for: subscription, at: now) else { return nil }
    return view
  }

  var tape: TapeView? {
    guard case .trades(let view)? = session.value(for: venue.trades, at: now) else { return nil }
    return view
  }

  var quote: QuoteView? {
    let subscription = Subscription(.quote, venue.bitcoin)
    guard case .quote(let view)? = session.value(for: subscription, at: now) else { return nil }
    return view
  }

  var figures: DayFigures? {
    let subscription = Subscription(.figures, venue.bitcoin)
    guard case .figures(let view)? = session.value(for: subscription, at: now) else { return nil }
    return view
  }

  var resyncs: Int { effects.count { if case .resynced = $0 { true } else { false } } }
  var rejections: Int { effects.count { if case .rejected = $0 { true } else { false } } }
  var reconnects: Int { effects.count { if case .reconnect = $0 { true } else { false } } }
  var dissents: Int { effects.count { if case .dissented = $0 { true } else { false } } }

  /// "price×size" of the best rows a side.
  static func table(_ view: BookView?, depth: Int = BookView.depth) -> [String] {
    guard let view else { return [] }
    return (view.bids.prefix(depth) + view.asks.prefix(depth)).map { row in
      let price = FixedDecimal(row.price, scale: view.priceScale).trimmed
      return "\(price)×\(FixedDecimal(row.size, scale: view.quantityScale).trimmed)"
    }
  }

  /// The rows of the book that the venue sent last, as in ``table(_:depth:)``.
  func published(_ symbol: Symbol? = nil, depth: Int = BookView.depth) -> [String] {
    Self.table(driver.venue.publishedLevels(symbol ?? venue.bitcoin, depth: depth))
  }

  /// The rows of the venue's present book, which a snapshot over HTTP has.
  func present(_ symbol: Symbol? = nil, depth: Int = BookView.depth) -> [String] {
    Self.table(driver.venue.bestLevels(symbol ?? venue.bitcoin, depth: depth))
  }

  private static func table(_ levels: (bids: [TrueLevel], asks: [TrueLevel])?) -> [String] {
    guard let levels else { return [] }
    return (levels.bids + levels.asks).map { "\($0.price.trimmed)×\($0.size.trimmed)" }
  }

  /// Whether the book claims nothing, or the rows that the venue's proof covers are the last sent;
  /// a snapshot over HTTP has those of the present.
  func isHonest(_ symbol: Symbol? = nil) -> Bool {
    guard let view = book(symbol), view.status == .synced else { return true }
    let depth = venue.provenRows
    let shown = Self.table(view, depth: depth)
    return shown == published(symbol, depth: depth)
      || venue.venue.adapter.fetchesSnapshots && shown == present(symbol, depth: depth)
  }

  /// Whether every book is live and the last one that the venue has sent.
  var isRight: Bool {
    [venue.bitcoin, venue.ether].allSatisfy { symbol in
      let view = book(symbol)
      return view?.status == .synced && view?.freshness.state == .live
        && Self.table(view) == published(symbol)
    }
  }
}

extension VenueRequest {
  /// A request of a path with a query.
  init(text: String) {
    let parts = text.split(separator: "?", maxSplits: 1)
    let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { member in
      let sides = member.split(separator: "=", maxSplits: 1).map(String.init)
      return (name: sides[0], value: sides.count > 1 ? sides[1] : "")
    }
    self.init(path: String(parts[0]), query: query)
  }
}
